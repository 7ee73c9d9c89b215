import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linesOf, shownLocator } from '../src/parts/locators.js';
import { markWords, wordsToMark } from '../src/parts/mark-words.js';
import { lastSegment, safeLink, shownName, shownUri } from '../src/parts/names.js';
import { counted, shownBytes } from '../src/parts/numbers.js';
import { ago, duration } from '../src/parts/times.js';
import { hrefOf, parseRoute } from '../src/route.js';
import { tokenize } from '../src/read/syntax.js';

const test = suite('texts and addresses of the console');

test('marks the words of a query and their forms', () => {
  const words = wordsToMark('How are tokens rotated (daily)?');
  const marked = markWords('Rotating a token: ROTATED tokenizer, untoken', words)
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => text);
  assert.equal(marked, ['Rotating', 'token', 'ROTATED', 'tokenizer']);
  assert.equal(markWords('a.b', wordsToMark('the')), [{ text: 'a.b', isMarked: false }]);
  assert.is(
    markWords('x (y) [z', wordsToMark('(y [z'))
      .map(({ text }) => text)
      .join(''),
    'x (y) [z',
  );
});

test('shows the hidden characters of a name', () => {
  assert.is(shownName('a\u202Egnp.exe\u0000'), 'a\ufffdgnp.exe\ufffd');
  assert.is(shownUri('file://local/a%20b/%E2%80%AEc'), '/a b/\ufffdc');
  assert.is(shownUri('slack://team/general'), 'slack://team/general');
  assert.is(shownUri('file://local/%zz'), '/%zz');
  assert.is(lastSegment('file://local/'), '/');
});

test('links only to web pages and mail addresses', () => {
  assert.is(safeLink('https://example.com/a'), 'https://example.com/a');
  assert.is(safeLink('mailto:ann@example.com'), 'mailto:ann@example.com');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/a', null])
    assert.is(safeLink(url), null);
});

test('formats locators, counts, sizes and times', () => {
  assert.equal(linesOf({ lines: [3, 9] }), [3, 9]);
  assert.is(linesOf({ lines: ['3', 9] }), null);
  assert.is(shownLocator({ lines: [3, 3] }), 'line 3');
  assert.is(shownLocator({ id: 7, name: 'x' }), 'id 7, name x');
  assert.is(counted(1, 'entry', 'entries'), '1 entry');
  assert.is(counted(1234, 'object'), '1,234 objects');
  assert.is(shownBytes(999), '999 B');
  assert.is(shownBytes(1_250_000), '1.3 MB');
  const now = Date.parse('2026-01-02T00:00:00Z');
  assert.is(ago('2026-01-01T21:00:00Z', now), '3 hours ago');
  assert.is(ago('2026-01-01T23:59:30Z', now), 'just now');
  assert.is(ago('2026-01-02T06:00:00Z', now), 'in 6 hours');
  assert.is(ago('2026-01-02T00:00:30Z', now), 'in a moment');
  assert.is(duration('2026-01-01T23:00:00Z', '2026-01-01T23:02:05Z'), '2 min 5 s');
});

test('keeps the parameters of a page in its address', () => {
  const href = hrefOf('read', { path: 'file://local/a b&c#d', lines: '3:9', from: undefined });
  const { page, params } = parseRoute(href);
  assert.is(page, 'read');
  assert.equal(Object.fromEntries(params), { path: 'file://local/a b&c#d', lines: '3:9' });
  assert.is(parseRoute('').page, 'search');
});

test('splits code into comments, strings, numbers and keywords', () => {
  const kinds = (code: string, name: string) =>
    tokenize(code, name).map((line) =>
      line.flatMap(({ text, kind }) => (kind === null ? [] : [`${kind} ${text}`])),
    );
  assert.equal(kinds("const a = 'x // y'; /* z\n b */ return 1.5;", 'a.ts'), [
    ['keyword const', "string 'x // y'", 'comment /* z'],
    ['comment  b */', 'keyword return', 'number 1.5'],
  ]);
  assert.equal(kinds("SELECT 'it' -- all", 'a.sql'), [
    ['keyword SELECT', "string 'it'", 'comment -- all'],
  ]);
  assert.equal(kinds("don't # if", 'a.unknown'), [[]]);
  assert.equal(kinds('"open', 'a.py'), [[]]);
  const long = `'${"\\'".repeat(100_000)}`;
  const started = performance.now();
  assert.is(
    tokenize(long, 'a.ts')
      .flat()
      .map(({ text }) => text)
      .join(''),
    long,
  );
  assert.ok(performance.now() - started < 2000);
});

test.run();
