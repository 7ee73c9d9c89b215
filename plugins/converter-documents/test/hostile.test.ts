import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { officeFile, zip } from './support/office.js';

const test = suite('hostile archives');

const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const name = 'word/document.xml';
const docx = (xml: string) => officeFile(name, { [name]: xml });
const refused = async (bytes: Uint8Array) => (await refusal(convert(type, bytes))).code;
const body = (text: string) =>
  `<w:document><w:body><w:p><w:t>${text}</w:t></w:p></w:body></w:document>`;

test('fails cleanly for files that are not archives, truncated or corrupt', async () => {
  const whole = docx(body('text '.repeat(200)));
  assert.is(await refused(new Uint8Array()), 'document_empty');
  assert.is(await refused(Buffer.from('%PDF-1.7')), 'document_damaged');
  assert.is(await refused(zip({ 'readme.txt': 'not of Office' })), 'document_damaged');
  for (let length = 1; length < whole.length; length += 7) {
    assert.is(await refused(whole.subarray(0, length)), 'document_damaged', `cut at ${length}`);
  }
  for (let at = 0; at < whole.length; at += 3) {
    const changed = Uint8Array.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    const { markdown } = await convert(type, changed).catch((error: unknown) => {
      assert.match(error instanceof TroveError ? error.code : String(error), /^document_/);
      return { markdown: 'refused' };
    });
    assert.ok(markdown.length < 20_000);
  }
});

test('reads an archive after leading bytes', async () => {
  const { markdown } = await convert(
    type,
    Buffer.concat([Buffer.from('#!/bin/sh\n'), docx(body('found'))]),
  );
  assert.is(markdown, 'found\n');
});

test('reports a password on the whole archive or on a member', async () => {
  const compound = Buffer.alloc(4096);
  compound.writeUInt32BE(0xd0_cf_11_e0);
  assert.is(await refused(compound), 'document_damaged');
  compound.write('EncryptedPackage', 1024, 'utf16le');
  // Bytes from another process may begin at any offset.
  for (const offset of [0, 1, 2, 3]) {
    const place = new Uint8Array(offset + compound.length).subarray(offset);
    place.set(compound);
    assert.is(await refused(place), 'document_encrypted');
  }
  const member = Buffer.from(docx(body('secret')));
  const directory = member.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  member.writeUInt16LE(1, directory + 8);
  assert.is(await refused(member), 'document_encrypted');
});

test('rejects archives that grow too much or have too many parts', async () => {
  assert.is(await refused(docx(body(' '.repeat(20_000_000)))), 'document_too_complex');
  assert.is(await refused(docx(body('<w:t/>'.repeat(1_000_001)))), 'document_too_complex');
  assert.is(await refused(docx('<w>'.repeat(1000))), 'document_too_complex');
});

test('ignores entities defined in the document', async () => {
  const entities =
    '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
  const { markdown } = await convert(type, docx(`${entities}${body('x &b; &c; &amp; y')}`));
  assert.is(markdown, 'x &b; &c; & y\n');
});

test('counts attributes towards the limit of a buffered table', async () => {
  const attributes = Array.from({ length: 5000 }, (_, i) => `a${i}="1"`).join(' ');
  const rows = `<w:tr ${attributes}/>`.repeat(500);
  assert.is(
    await refused(docx(`<w:document><w:tbl>${rows}</w:tbl></w:document>`)),
    'document_too_complex',
  );
});

test('limits the repeated reading of a small part', async () => {
  const headers = Array.from({ length: 140_000 }, (_, i) => ({
    id: `h${i}`,
    kind: 'header',
    target: 'header.xml',
  }));
  const parts = { [name]: body('text'), 'word/header.xml': '<w:hdr/>' };
  assert.is(await refused(officeFile(name, parts, { [name]: headers })), 'document_too_complex');
});

test('decompresses many small parts like large ones', async () => {
  for (const length of [1, 500, 8191, 8192, 8193, 100_000]) {
    const { markdown } = await convert(type, docx(body('x'.repeat(length))));
    assert.is(markdown, `${'x'.repeat(length)}\n`);
  }
});

test.run();
