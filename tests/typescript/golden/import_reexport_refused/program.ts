// So does a re-export.
console.log('never printed');
export * from 'lodash';
export default () => 1;
