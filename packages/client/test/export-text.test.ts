import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { exportText, TroveApiError, TroveClient } from '../src/index.js';
import { ExportScanner } from '../src/runtime/export-scanner.js';
import { startServer } from './support/server.js';

const test = suite('exportText');

const exportedContent =
  'a "quoted" \\ line\n\u0007 😀 \ud83d alone, "partial":true, "content":"no"';
const exportAnswer = {
  source: 'file://local/"content":"x',
  nested: { content: 'inner', partial: true },
  partial: false,
  content: exportedContent,
  after: ['content'],
};

test('returns exactly the content for any split of the response', () => {
  const plain = JSON.stringify(exportAnswer);
  for (const text of [plain, plain.replaceAll('😀', '\\ud83d\\ude00')]) {
    for (let size = 1; size < 40; size++) {
      const scanner = new ExportScanner();
      let content = '';
      for (let at = 0; at < text.length; at += size)
        content += scanner.push(text.slice(at, at + size));
      assert.is(content, exportedContent, `in pieces of ${size}`);
      assert.ok(scanner.done);
      assert.not(scanner.partial);
    }
  }
});

test('never splits a surrogate pair', () => {
  const scanner = new ExportScanner();
  assert.is(scanner.push('{"content":"a\\ud83d'), 'a');
  assert.is(scanner.push('\\ude00"'), '😀');
});

test('recognises a partial answer for any order of members', () => {
  for (const text of ['{"partial": true, "content":"x"}', '{"content":"x", "partial":true}']) {
    const scanner = new ExportScanner();
    scanner.push(text);
    assert.ok(scanner.partial, text);
  }
});

test('passes text on while it arrives', async () => {
  let release = () => {};
  await using server = await startServer((response) => {
    response.write('{"source":"s","partial":true,"content":"first');
    release = () => response.end(' second"}');
  });
  const { http } = new TroveClient({ baseUrl: server.baseUrl });
  const text = exportText(http, { path: '/a b' });
  const pieces: string[] = [];
  for await (const piece of text) {
    pieces.push(piece);
    release();
  }
  assert.equal(pieces, ['first', ' second']);
  assert.ok(text.partial);
  assert.is(server.received[0]?.url, '/v1/export?path=%2Fa+b');
});

test('throws for an incomplete or invalid answer', async () => {
  const answers: [string, string][] = [
    ['{"source":"s","content":"cut', 'connection_failed'],
    ['{"content":"\\q"}', 'invalid_response'],
    ['[]', 'connection_failed'],
  ];
  for (const [answer, code] of answers) {
    await using server = await startServer((response) => response.end(answer));
    const { http } = new TroveClient({ baseUrl: server.baseUrl });
    try {
      for await (const piece of exportText(http, { path: '/a' })) assert.type(piece, 'string');
      assert.unreachable(answer);
    } catch (error) {
      assert.instance(error, TroveApiError);
      assert.is(error instanceof TroveApiError && error.code, code);
    }
  }
});

test.run();
