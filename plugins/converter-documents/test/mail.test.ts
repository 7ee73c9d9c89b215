import { Buffer } from 'node:buffer';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { outlookMessage } from './support/msg.js';

const test = suite('messages → Markdown');
const eml = (...lines: readonly string[]) =>
  convert('message/rfc822', Buffer.from(lines.join('\r\n'), 'latin1'));
const msg = (bytes: Uint8Array) => convert('application/vnd.ms-outlook', bytes);

test('reads headers, body and attachment names', async () => {
  const { markdown, title } = await eml(
    'From: =?utf-8?q?J=C3=B6rg?= <j@x.org>',
    'To: Team: a@x.org, "B, C" <b@x.org>;',
    'Cc: d@x.org',
    'Subject: =?utf-8?b?UGxhbiBmw7xyIE1vbnRhZw==?=',
    'Date: Mon, 5 Jan 2026 10:00:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: multipart/alternative; boundary=c',
    '',
    '--c',
    'Content-Type: text/plain; charset=iso-8859-1',
    '',
    'Gr\xfc\xdfe',
    'und mehr',
    '',
    '> zitiert',
    '--c',
    'Content-Type: text/html',
    '',
    '<p>HTML</p>',
    '--c--',
    '--b',
    'Content-Type: application/pdf; name="r.pdf"',
    'Content-Disposition: attachment; filename="report.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'AAAA',
    '--b--',
    '',
  );
  assert.is(title, 'Plan für Montag');
  assert.is(
    markdown,
    [
      '# Plan für Montag',
      '- From: Jörg <j@x.org>\n- To: a@x.org, B, C <b@x.org>\n- Cc: d@x.org\n- Date: 2026-01-05T09:00:00.000Z',
      'Grüße\nund mehr',
      '> zitiert',
      '## Attachments',
      '- report.pdf\n',
    ].join('\n\n'),
  );
});

test('reads a body in HTML only', async () => {
  const { markdown } = await eml(
    'From: a@x.org',
    'Content-Type: text/html',
    '',
    '<h2>News</h2><ul><li>one</ul>',
  );
  assert.is(markdown, '- From: a@x.org\n\n## News\n\n- one\n');
});

test('rejects messages that are invalid, empty or nested without end', async () => {
  assert.is((await refusal(eml('just a text'))).code, 'document_damaged');
  assert.is((await refusal(eml('From: a@x.org', '', ' '))).code, 'document_empty');
  const depth = 400;
  const nested = Array.from({ length: depth }, (_, at) => [
    `Content-Type: multipart/mixed; boundary=b${at}`,
    '',
    `--b${at}`,
  ]);
  const error = await refusal(eml('Subject: deep', ...nested.flat(), '', 'x'));
  assert.is(error.code, 'document_too_complex');
});

test('reads an Outlook message in Unicode and in a code page', async () => {
  const { markdown, title } = await msg(
    outlookMessage({ subject: 'Budget', sender: 'Ann', body: 'Zebras\r\n\r\ncost more.' }),
  );
  assert.is(title, 'Budget');
  assert.is(markdown, '# Budget\n\n- From: Ann\n\nZebras\n\ncost more.\n');
  const russian = await msg(
    outlookMessage({ codePage: 1251, subject: 'Привет', sender: 'Анна', body: 'да' }),
  );
  assert.is(russian.markdown, '# Привет\n\n- From: Анна\n\nда\n');
});

test('rejects an invalid or empty Outlook message', async () => {
  assert.is((await refusal(msg(Buffer.from('From: a@x.org')))).code, 'document_damaged');
  const empty = outlookMessage({ subject: '', sender: 'Ann', body: ' ' });
  assert.is((await refusal(msg(empty))).code, 'document_empty');
  assert.is((await refusal(msg(empty.subarray(0, 600)))).code, 'document_damaged');
});

test.run();
