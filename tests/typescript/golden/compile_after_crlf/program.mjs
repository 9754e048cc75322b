// Line ends of Windows count as one, in front of the error and in a template.
export default [
  'console.log(`a', 'b`);', '/* c', 'd */', 'export default () => {', '  const x: number = 1 1;', '};', '',
].join('\r\n');
