// A shebang is the first line; with it a byte-order mark and CRLF.
export default '\ufeff#!/usr/bin/env cordon run\r\nexport default () => {\r\n  let x = ;\r\n};\r\n';
