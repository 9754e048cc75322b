// An error that only looks like a denial is the guest's own.
import { SandboxDeniedError } from 'fino:ai/sandbox/capabilities';

export default () => {
  throw new (SandboxDeniedError as any)('Environment variable "X" is not granted', 'environment', 'X');
};
