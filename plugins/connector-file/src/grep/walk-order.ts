/** Compares two paths in the order of a walk: files of a folder by name, then files of its subfolders. */
export function compareWalkOrder(a: string, b: string): number {
  if (a === b) return 0;
  const left = a.split('/');
  const right = b.split('/');
  let depth = 0;
  while (left[depth] === right[depth]) depth++;
  const leftIsFile = depth === left.length - 1;
  if (leftIsFile !== (depth === right.length - 1)) return leftIsFile ? -1 : 1;
  return (left[depth] ?? '') < (right[depth] ?? '') ? -1 : 1;
}
