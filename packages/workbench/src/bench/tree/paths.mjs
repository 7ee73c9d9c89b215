import { between, oneOf } from '@trove/test-support/random.js';

const top = ['handbook', 'guides', 'notes', 'src', 'packages', 'reports', 'archive', 'meetings'];
const maxDepth = 5;
const filesPerFolder = 14;

/** Returns nested folders for a number of files. Each new folder is inside an existing one. */
export function foldersFor(random, word, files) {
  const folders = top.map((name) => [name]);
  const wanted = Math.max(top.length, Math.ceil(files / filesPerFolder));
  while (folders.length < wanted) {
    const parent = oneOf(random, folders);
    if (parent.length < maxDepth) folders.push([...parent, `${word()}-${between(random, 1, 99)}`]);
  }
  return folders.map((parts) => parts.join('/'));
}
