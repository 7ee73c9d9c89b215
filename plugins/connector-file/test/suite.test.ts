import { rmSync, writeFileSync } from 'node:fs';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { inFolder, plugin, type Folder, targetOf } from './folder.js';

const test = suite('file connector, conformance');
const encoder = new TextEncoder();

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': encoder.encode('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?.md': encoder.encode('one\ntwo .* two\nthree'),
  'docs/deep/😀 emoji.ts': encoder.encode('export const a = 1;\r\nexport const b = 2;\r\n'),
  'utf16.txt': Buffer.from('\ufeffwide\nlines of text\n', 'utf16le'),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

function subjectOn(folder: Folder): ConnectorSubject {
  for (const [path, bytes] of Object.entries(world)) folder.write(`world/${path}`, bytes);
  folder.mkdir('empty');
  return {
    plugin,
    target: targetOf(folder.at('world')),
    refused: [{ ignore: 'drafts/' }, { ignored: [] }],
    objects: Object.entries(world).map(([path, bytes]) => ({ path, bytes })),
    absent: 'docs/nothing here.md',
    change: async (path) =>
      writeFileSync(folder.at(`world/${path}`), `changed ${path}\n`.repeat(9)),
    remove: async (path) => rmSync(folder.at(`world/${path}`)),
    emptyTarget: targetOf(folder.at('empty')),
    unreachable: { target: targetOf(folder.at('nowhere')) },
  };
}

await testConformance(test, (work) => inFolder(async (folder) => work(subjectOn(folder)))(), [
  'changes',
  'checkpoints',
  'records',
  'since',
  'coupled',
  'expireAccess',
  'explain',
  'replaceCredential',
  'secret',
]);

test.run();
