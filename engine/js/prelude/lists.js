// Arrays used as lists, without the array methods that look at `constructor`.

export function append(list, value) {
  list[list.length] = value;
}

export function copyOf(list) {
  const copy = [];
  for (let i = 0; i < list.length; i++) copy[i] = list[i];
  return copy;
}

export function removeAt(list, index) {
  for (let i = index; i + 1 < list.length; i++) list[i] = list[i + 1];
  list.length--;
}

export function contains(list, value) {
  for (let i = 0; i < list.length; i++) if (list[i] === value) return true;
  return false;
}
