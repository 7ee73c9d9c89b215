import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileCount = 10;
/** Paragraphs of the one file that is long enough for several chunks. */
const paragraphCount = 30;

/** Writes a small source. Returns its files as `{ name, word }`; no other file contains that word. */
export function writeLibrary(folder) {
  mkdirSync(folder);
  return Array.from({ length: fileCount }, (_, at) => {
    const name = `f${at}.md`;
    const word = `word${at}`;
    writeFileSync(join(folder, name), textOf(word, at === 0 ? paragraphCount : 1));
    return { name, word };
  });
}

/** No two paragraphs are the same: hits of equal text are shown as one. */
function textOf(word, paragraphs) {
  return Array.from(
    { length: paragraphs },
    (_, at) => `An otter of paragraph ${at}. ${`${word} `.repeat(30)}\n\n`,
  ).join('');
}
