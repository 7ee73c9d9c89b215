import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sourceCount = 6;
const foldersPerSource = 3;
const filesPerFolder = 4;
const commonWords = ['harbour', 'otter', 'ledger', 'parseHeader', 'quarter', 'token'];

/** Matches every marker: a word that occurs in the name or the text of exactly one object or folder. */
export const markerPattern = /m[0-9a-f]{10}x/g;

/**
 * Writes sources whose names and texts contain markers. Returns `{ sources, places }`: the folders to add, and each
 * source, folder and file with its `path` and the `markers` that belong to it alone.
 */
export function writeMarkedSources(root) {
  const places = [];
  const sources = [];
  const place = (path) => {
    const marker = markerOf(path);
    places.push({ path: join(path, marker), markers: [marker] });
    return join(path, marker);
  };
  for (let source = 0; source < sourceCount; source++) {
    const folder = place(join(root, `source-${source}`));
    sources.push(folder);
    for (let number = 0; number < foldersPerSource; number++) {
      const inner = place(join(folder, `folder-${number}`));
      mkdirSync(inner, { recursive: true });
      for (let file = 0; file < filesPerFolder; file++) places.push(writeFile(inner, file));
    }
  }
  return { sources, places };
}

function writeFile(folder, number) {
  const name = markerOf(`${folder} name ${number}`);
  const word = markerOf(`${folder} text ${number}`);
  const path = join(folder, `${name}.${number % 2 === 0 ? 'md' : 'ts'}`);
  const common = commonWords[number % commonWords.length];
  const lines = [
    `# ${common} ${word}`,
    '',
    `The ${common} of the ${word} meets an otter every quarter.`,
    `export function parseHeader${number}(${word}) {}`,
    `${word} = "${common}"`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { path, markers: [name, word] };
}

/** Depends only on the text, so a seed reproduces a case. */
function markerOf(text) {
  const digest = createHash('sha256')
    .update(text.replace(/^.*?\/source-/, 'source-'))
    .digest('hex');
  return `m${digest.slice(0, 10)}x`;
}

/** Words of queries: common ones, markers, and markers with a typing error. */
export function wordsOf(places) {
  const markers = places.flatMap(({ markers: own }) => own);
  return [...commonWords, ...markers, ...markers.map((marker) => marker.replace(/.x$/, 'x'))];
}
