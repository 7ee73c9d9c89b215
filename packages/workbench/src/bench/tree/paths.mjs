import { between, oneOf } from '@trove/test-support/random.js';

const TOP = ['handbook', 'guides', 'notes', 'src', 'packages', 'reports', 'archive', 'meetings'];
const DEEPEST = 5;
const FILES_PER_FOLDER = 14;

/** Folders for a number of files, nested as people nest them: each new one is inside an existing one. */
export function foldersFor(random, word, files) {
  const folders = TOP.map((name) => [name]);
  const wanted = Math.max(TOP.length, Math.ceil(files / FILES_PER_FOLDER));
  while (folders.length < wanted) {
    const parent = oneOf(random, folders);
    if (parent.length < DEEPEST) folders.push([...parent, `${word()}-${between(random, 1, 99)}`]);
  }
  return folders.map((parts) => parts.join('/'));
}
