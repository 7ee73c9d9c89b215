import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { fromRarestByte } from '../src/grep/rarest-byte.js';

const test = suite('the bytes that a search looks for');

test('begin at the rarest byte, unless fewer than four would remain', () => {
  assert.is(String(fromRarestByte(Buffer.from('nst puledSanbea = trosos'))), 'Sanbea = trosos');
  assert.is(String(fromRarestByte(Buffer.from('the quick brown fox'))), 'quick brown fox');
  assert.is(String(fromRarestByte(Buffer.from('eat{}'))), 'at{}');
  assert.is(String(fromRarestByte(Buffer.from('qat'))), 'qat');
  assert.is(String(fromRarestByte(Buffer.from(''))), '');
});

test('are part of the text in UTF-8, also from the middle of a character on', () => {
  for (const text of ['Größe', 'программа', '会議の資料', 'a😀b', 'é']) {
    const bytes = fromRarestByte(Buffer.from(text));
    assert.ok(Buffer.from(text).includes(bytes), text);
    assert.ok(bytes.length >= Math.min(4, Buffer.byteLength(text)), text);
  }
});

test.run();
