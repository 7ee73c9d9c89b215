import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileCount = 10;
/** Paragraphs of the only file with several chunks. */
const paragraphCount = 30;

/** Writes a small source and returns its files as `{ name, word }`. No other file contains that word. */
export function writeLibrary(folder) {
  mkdirSync(folder);
  return Array.from({ length: fileCount }, (_, at) => {
    const name = `f${at}.md`;
    const word = `word${at}`;
    writeFileSync(join(folder, name), textOf(word, at === 0 ? paragraphCount : 1));
    return { name, word };
  });
}

/** All paragraphs differ, because hits with equal text are merged. */
function textOf(word, paragraphs) {
  return Array.from(
    { length: paragraphs },
    (_, at) => `An otter of paragraph ${at}. ${`${word} `.repeat(30)}\n\n`,
  ).join('');
}
