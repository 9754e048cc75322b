// Columns count UTF-16 units: é is one, 😀 two.
export default "type T = 'é';\nexport default () => { const s = 'é日😀'; return s +; };\n";
