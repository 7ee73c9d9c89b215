import { isTroveError } from '@trove/core';
import {
  compilePattern,
  matchLinesInTime,
  type CompiledPattern,
  type TimedMatches,
} from '@trove/text/grep';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('regular expressions of grep');

function search(pattern: CompiledPattern, text: string, context: number): TimedMatches {
  return matchLinesInTime(pattern, { text, context, limit: 1000 });
}

/** Returns the matching lines of a text. */
function lines(pattern: string, text: string, ignoreCase = false): string[] {
  const compiled = compilePattern({ pattern, regex: true, ignoreCase });
  return search(compiled, text, 0).matches.map(({ content }) => content);
}

function matches(pattern: string, line: string, ignoreCase = false): boolean {
  return lines(pattern, line, ignoreCase).length === 1;
}

function refusal(pattern: string): string {
  try {
    compilePattern({ pattern, regex: true, ignoreCase: false });
    return 'taken';
  } catch (error) {
    return isTroveError(error) ? `${error.code} ${error.detail}` : String(error);
  }
}

test('decomposed letters match like composed letters', () => {
  const text = 'kein\nDie Größe: café é im Glas\n한글\nGroße\n';
  for (const form of ['NFC', 'NFD']) {
    const found = (pattern: string) =>
      lines(pattern, text.normalize(form)).map((line) => line.normalize('NFC'));
    assert.equal(found('caf. é'), ['Die Größe: café é im Glas'], form);
    assert.equal(found('Größ[eé]'), ['Die Größe: café é im Glas'], form);
    assert.equal(found('Größ[eé]'.normalize('NFD')), ['Die Größe: café é im Glas'], form);
    assert.equal(found('caf[éè]\\b'), ['Die Größe: café é im Glas'], form);
    assert.equal(found('^\\w{2}$'), ['한글'], form);
    assert.equal(found('^Gr[^ö]ße$'), ['Große'], form);
    const occurrences = matchLinesInTime(
      compilePattern({ pattern: 'Gr.ße|caf.|é', regex: true, ignoreCase: false }),
      { text: text.normalize(form), context: 0, limit: 10, onlyMatching: true },
    ).matches.map(({ content, match }) => [content.normalize('NFC'), match.lines[0], match.column]);
    assert.equal(
      occurrences,
      [
        ['Größe\ncafé\né', 2, 5],
        ['Große', 4, 1],
      ],
      form,
    );
  }
  assert.ok(matches('e\\u0301', 'e\u0301'), 'the mark itself');
  assert.ok(matches('é$', 'cafe\u0301\r\n'));
});

test('each construct has the same meaning as in ripgrep', () => {
  const cases: [pattern: string, yes: string[], no: string[]][] = [
    ['\\bпривет\\b', ['скажи привет, мир'], ['приветик']],
    ['^\\w+ние$', ['знание'], ['знание!']],
    ['^\\d+$', ['٣٤', '12'], ['x']],
    ['^\\s$', ['\u3000', '\u00a0', '\t'], ['x', '']],
    ['^\\W\\D\\S$', ['!!!'], ['a1 ']],
    ['\\p{Han}', ['漢'], ['かな', 'a']],
    ['^\\pL\\PL$', ['a1'], ['11']],
    ['\\p{greek}', ['α'], ['a']],
    ['\\p{script=Cyrillic}\\p{gc:Lu}', ['жЖ'], ['жж']],
    ['^\\p{Uppercase_Letter}\\p{ascii}$', ['ЖA'], ['жA']],
    ['[[:space:]]TODO', [' TODO'], ['xTODO']],
    ['^[[:^alpha:][:upper:]]$', ['1', 'A', 'é'], ['a']],
    ['^[[:foo:]]$', [':', 'f', 'o'], ['x']],
    ['\\Aname\\z', ['name'], ['a name', 'names']],
    ['^[a-z&&[^aeiou]]$', ['b'], ['a', '1']],
    ['^[\\w--\\d]$', ['b'], ['1']],
    ['^[a-f~~d-k]$', ['a', 'k'], ['d', 'f']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['^[^]a]$', ['b'], [']', 'a']],
    ['^[--a-]+$', ['-', 'a'], ['b']],
    ['^[a-]$', ['-', 'a'], ['b']],
    ['^[\\x41-\\x{43}\\u0044\\U00000045]$', ['A', 'B', 'D', 'E'], ['F']],
    ['\\x{1F600}|\\u{1F601}', ['😀', '😁'], ['😂']],
    ['^.$', ['😀', '\u2028', 'é'], ['ab', '']],
    ['^a\\u2028?b$', ['a\u2028b', 'ab'], ['a']],
    ['\\<ab\\>', ['ab', '-ab-'], ['cab', 'abc']],
    ['\\b{start}a\\b{end}', ['a'], ['aa']],
    ['a\\b{2}', ['a '], ['ab']],
    ['\\Bb', ['ab'], ['b']],
    ['^(?P<n>a)(?<m>b)(?:c)$', ['abc'], ['abd']],
    ['^a{2}b{1,}c{0,1}d{,2}$', ['aabd', 'aabbcdd'], ['ab', 'aabddd']],
    ['^a**$', ['', 'aa'], ['b']],
    ['^(?U)a+?b$', ['aab'], ['b']],
    ['^a(?i)b|c$', ['aB', 'ab', 'C'], ['AB']],
    ['^a(?i:b)c$', ['aBc', 'abc'], ['ABc', 'abC']],
    ['^(?i:[^a])b$', ['xb'], ['ab', 'Ab', 'xB']],
    ['^(?i:[k-l])(?-i:x)$', ['Kx', '\u212ax'], ['KX']],
    ['^(?i)s\\u212a$', ['ſK', 'Sk'], ['ß']],
    ['^(?i-u:k)$', ['k', 'K'], ['\u212a']],
    ['^(?-u:\\w)$', ['a'], ['é']],
    ['(?x) ^ a b # the first two\n [c d] \\ $', ['abc '], ['ab c']],
    ['^(?s).$(?m)', ['a'], ['ab']],
    ['^\\/\\-\\"\\ \\#\\}$', ['/-" #}'], ['x']],
    ['^a]}$', ['a]}'], ['a']],
    ['^(a|b|)$', ['a', ''], ['c']],
    ['^a*b+$', ['b', 'aabb'], ['a']],
    ['a*', ['', 'b'], []],
    ['(?:ab)?cd', ['cd', 'abcd'], ['ab']],
    ['(?:foo|bar)baz', ['foobaz', 'barbaz'], ['baz']],
    ['(?:x|yz)*w', ['w', 'yzw'], ['yz']],
    ['(?:ab){2}c|d', ['ababc', 'd'], ['abc']],
    ['a\\bb|\\w+(?=;)', ['x;'], ['ab']],
    ['foo(?!bar)', ['foo', 'foo bar'], ['foobar']],
    ['(?<=\\$)\\d', ['$5'], ['5']],
    ['^(?<!x)a(?=b)', ['ab'], ['a']],
  ];
  for (const [pattern, yes, no] of cases) {
    for (const line of yes) assert.ok(matches(pattern, `${line}\n`), `${pattern} in "${line}"`);
    for (const line of no) assert.not(matches(pattern, `${line}\n`), `${pattern} not in "${line}"`);
  }
});

test('folds case by simple Unicode folding', () => {
  for (const [pattern, line] of [
    ['STRASSE', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['kelvin', '\u212aELVIN'],
    ['ſ', 'S'],
    ['[a-z]ÄÖ', 'Xäö'],
  ] as const) {
    assert.ok(matches(`^${pattern}$`, line, true), pattern);
    assert.not(matches(`^${pattern}$`, line), pattern);
  }
  assert.not(matches('^straße$', 'STRASSE', true));
  assert.not(matches('^i$', 'İ', true));
});

test('searches each line separately, with either line ending', () => {
  const text = 'one\r\ntwo three\n\nname';
  assert.equal(lines('one$', text), ['one']);
  assert.equal(lines('^$', text), ['']);
  assert.equal(lines('e.', text), ['two three']);
  assert.equal(lines('one\\s', text), []);
  assert.equal(lines('[^x]two', text), []);
  assert.equal(lines('(?s)one.+', text), []);
  assert.equal(lines('\\A\\w+\\z', text), ['one', 'name']);
  assert.equal(lines('e(?!\\s)$', text), ['one', 'two three', 'name']);
  assert.equal(lines('', text), ['one', 'two three', '', 'name']);
});

test('rejects what ripgrep rejects and names the construct', () => {
  const cases: [pattern: string, named: RegExp][] = [
    ['(a)\\1', /`\\1`: references to groups/],
    ['\\012', /`\\0`: references to groups/],
    ['\\k<a>', /references to groups/],
    ['a\\Z', /`\\Z` is not a known escape/],
    ['\\h', /`\\h`/],
    ['\\p{^L}', /`\\p\{\^L\}` is not a known/],
    ['\\p{Klingon}', /`\\p\{Klingon\}` is not a known Unicode property/],
    ['[\\b]', /`\\b` has no meaning inside a class/],
    ['[a', /class `\[` is not closed/],
    ['[z-a]', /`z-a` is not a range/],
    ['[a-\\d]', /`a-\\d` is not a range/],
    ['(a', /group `\(` is not closed/],
    ['a)', /`\)` closes no group/],
    ['*a', /`\*` repeats nothing/],
    ['a|+', /`\+` repeats nothing/],
    ['(?i)*', /`\*` repeats nothing/],
    ['f() {', /`\{` is not a valid number/],
    ['a{2,1}', /`\{2,1\}`/],
    ['(?z)', /`\(\?z` is not a known kind of group/],
    ['(?)', /`\(\?\)`/],
    ['(?P<a>x)(?P<a>y)', /`\(\?P<a>`: the name of the group/],
    ['\\x{110000}', /does not name a character/],
    ['\\u{d800}', /does not name a character/],
    ['a\\n', /`\\n`: the search is line by line/],
    ['a\\', /ends with a backslash/],
    ['('.repeat(5000), /nested too deeply/],
    ['['.repeat(5000), /nested too deeply/],
    ['a'.repeat(10_001), /longer than 10000/],
  ];
  for (const [pattern, named] of cases) {
    assert.match(refusal(pattern), /^validation_error pattern: /, pattern.slice(0, 50));
    assert.match(refusal(pattern), named);
  }
});

test('every accepted pattern compiles', () => {
  for (const pattern of [
    'a'.repeat(10_000),
    '(a|b)'.repeat(2000),
    'a?'.repeat(5000),
    '\\w'.repeat(5000),
    '\\b'.repeat(5000),
    `${'(?:'.repeat(90)}a${'){9}'.repeat(90)}`,
    'a{99999}',
    '(?:\\w{1000}){1000}',
    '|'.repeat(9999),
  ]) {
    const said = refusal(pattern);
    assert.ok(
      said === 'taken' || said.startsWith('validation_error'),
      `${pattern.slice(0, 30)}: ${said}`,
    );
  }
});

test('stops an expression that backtracks endlessly and keeps its matches', () => {
  const text = `aaa\n${'a'.repeat(60)}!\naaa\n`;
  const pattern = compilePattern({ pattern: '^(a+)+$', regex: true, ignoreCase: false });
  const { matches: found, complete } = search(pattern, text, 0);
  assert.is(complete, false);
  assert.equal(
    found.map(({ lines: [line] }) => line),
    [1],
  );
  assert.is(search(pattern, 'aaa', 0).complete, true);
});

test('ordinary expressions take linear time, also in long lines', () => {
  const texts: [pattern: string, text: string][] = [
    ['\\w+ние', 'я'.repeat(300_000)],
    ['\\w+\\s*=>\\s*\\{$', `${'word '.repeat(100_000)}\n`],
    ['\\s+$', `${' '.repeat(300_000)}x\n`],
    ['.{300}', `${'x'.repeat(299)}\n`.repeat(20_000)],
  ];
  for (const [pattern, text] of texts) {
    const compiled = compilePattern({ pattern, regex: true, ignoreCase: false });
    assert.equal(search(compiled, text, 0), { matches: [], complete: true }, pattern);
  }
});

test('stops a literal that almost matches everywhere', () => {
  const text = `x\n${'a'.repeat(4_000_000)}`;
  const long = `${'a'.repeat(3000)}b${'a'.repeat(2999)}`;
  for (const ignoreCase of [false, true]) {
    const pattern = compilePattern({ pattern: long, regex: false, ignoreCase });
    assert.is(search(pattern, text, 0).complete, false);
    assert.is(search(pattern, `a\n-${long}-\n${long}`, 0).matches.length, 2);
  }
});

test('numbers lines and shows context in one pass', () => {
  const pattern = compilePattern({ pattern: 'x', regex: false, ignoreCase: false });
  const text = '\nx\nb\r\nx x\n\n\nc\nx';
  assert.equal(search(pattern, text, 1).matches, [
    { lines: [1, 3], content: '\nx\nb', match: { lines: [2, 2], column: 1 } },
    { lines: [3, 5], content: 'b\nx x\n', match: { lines: [4, 4], column: 1 } },
    { lines: [7, 8], content: 'c\nx', match: { lines: [8, 8], column: 1 } },
  ]);
  const twoLines = compilePattern({ pattern: 'x\nb', regex: false, ignoreCase: false });
  assert.equal(search(twoLines, text, 0).matches, [
    { lines: [2, 3], content: 'x\nb', match: { lines: [2, 3], column: 1 } },
  ]);
});

test('returns the position and full length of a match', () => {
  const pattern = compilePattern({ pattern: '\\w+ing\\d*', regex: true, ignoreCase: false });
  const text = 'he is singing99 and bringing\n';
  const places = search(pattern, text, 0).matches.map(({ match }) => match.column);
  assert.equal(places, [7]);
  const request = { text, context: 3, limit: 9, onlyMatching: true };
  assert.equal(
    matchLinesInTime(pattern, request).matches.map(({ content }) => content),
    ['singing99\nbringing'],
  );
});

test('skips the first matches without renumbering the others', () => {
  const pattern = compilePattern({ pattern: 'x', regex: false, ignoreCase: false });
  const { matches: found } = matchLinesInTime(pattern, {
    text: 'x1\nx2\n\nx3\nx4',
    context: 0,
    limit: 2,
    skip: 1,
  });
  assert.equal(
    found.map((match) => `${match.lines[0]} ${match.content}`),
    ['2 x2', '4 x3'],
  );
});

test('no match begins inside a surrogate pair', () => {
  const pattern = compilePattern({ pattern: '^(?!.*b)', regex: true, ignoreCase: false });
  assert.equal(
    search(pattern, 'a 😀 b\n😀\n\n', 0).matches.map((match) => match.lines[0]),
    [2, 3],
  );
});

test.run();
