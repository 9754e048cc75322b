// A byte-order mark is no column.
export default '\ufeffexport default () => 1 +;\n';
