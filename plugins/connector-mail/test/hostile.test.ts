import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { decodeTransfer, structureOf } from '@trove/text/mail';
import { assertCheap } from '@trove/test-support/waiting.js';
import { parseMail } from '@trove/connector-kit/mail';
import { parseHead } from '../src/mbox/mbox-head.js';
import { message, part } from './support.js';

const test = suite('hostile mail');

/** Linear work takes a few ms, and quadratic work takes half a minute. */
const limitMs = 2000;
const many = 200_000;

const read = (text: string): ReturnType<typeof parseMail> =>
  parseMail(structureOf(Buffer.from(text)).skeleton);
const quoted = (text: string): string =>
  decodeTransfer(Buffer.from(text, 'latin1'), 'quoted-printable').toString('latin1');
const based = (text: string): string =>
  decodeTransfer(Buffer.from(text, 'latin1'), 'base64').toString('latin1');

test('decodes quoted-printable according to the standard', () => {
  assert.is(quoted('a=3Db=e4=\r\nc =\nd \t\r\n e=20\nf=  \ng'), 'a=b\u00e4c d\r\n e \nfg');
  assert.is(quoted('= =G1 =3 =='), '= =G1 =3 ==');
  assert.is(quoted('a \t'), 'a');
  assert.is(quoted('a\rb \r c=20'), 'a\rb \r c ');
});

test('decodes all lines of base64 although each has padding', () => {
  assert.is(based('YQ==\nYmM=\r\nZGVm'), 'abcdef');
  assert.is(based('YWJj\r\nZGU='), 'abcde');
});

test('decodes texts in every transfer encoding', async () => {
  const headers = ['Content-Type: multipart/mixed; boundary="frontier"'];
  const body = [
    part(
      ['content-transfer-encoding:\n quoted-printable', 'Content-Type: text/plain'],
      'caf=C3=A9',
    ),
    part(
      ['Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: base64'],
      'YmzpLQ==',
    ),
    part([], 'plain'),
    '--frontier--\n',
  ].join('');
  const { text } = await read(message({ headers, body }));
  assert.is(text.replaceAll(/\s+/g, ' '), 'café blé- plain');
});

const hostile: Readonly<Record<string, () => unknown>> = {
  'white space in quoted-printable': () => quoted(`${' '.repeat(many)}x`),
  'white space after a message ID': () => parseHead(`Message-ID: <a@x>${' '.repeat(many)}y\n`),
  'white space in preformatted HTML': () =>
    read(
      message({ headers: ['Content-Type: text/html'], body: `<pre>a${' '.repeat(many)}b</pre>` }),
    ),
  'short lines': () => read(message({ body: 'a\n'.repeat(10 * many) })),
  'parts whose end is missing': () => {
    const missing = (name: string): string =>
      part([`Content-Type: multipart/mixed; boundary="${name}"`], 'x');
    const parts = Array.from({ length: 490 }, (_, at) => missing(`none${at}`)).join('');
    const headers = ['Content-Type: multipart/mixed; boundary="frontier"'];
    const pdf = part(['Content-Type: application/pdf'], 'a'.repeat(60_000_000));
    return structureOf(Buffer.from(message({ headers, body: `${parts}${pdf}--frontier--\n` })));
  },
};

for (const [what, work] of Object.entries(hostile))
  test(`parses hostile input in linear time: ${what}`, () => assertCheap(limitMs, work));

test.run();
