// The web's own errors keep their names.
export default () => structuredClone(() => 1);
