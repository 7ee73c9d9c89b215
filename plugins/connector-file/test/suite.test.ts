import { rmSync, writeFileSync } from 'node:fs';
import { connectorCases, selectConnectorCases, type ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { Folder, inFolder, plugin, targetOf } from './folder.js';

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

const probe = new Folder();
const { cases, skipped } = await selectConnectorCases(subjectOn(probe));
await probe.remove();

for (const each of cases) {
  test(
    each.title,
    inFolder(async (folder) => each.run(subjectOn(folder))),
  );
}

for (const { id, reason } of skipped) console.log(`skipped: ${id}, ${reason}`);

test('only what files cannot have is skipped', () => {
  const reasons = new Set(skipped.map(({ reason }) => reason));
  assert.equal([...reasons].sort(), [
    'the connector has no `changes`',
    'the connector has no `records`',
    "the plugin's capabilities do not have `since`",
    'the subject has no `coupled`',
    'the subject has no `expireAccess`',
    'the subject has no `replaceCredential`',
    'the subject has no `secret`',
  ]);
  assert.is(cases.length + skipped.length, connectorCases.length);
});

test.run();
