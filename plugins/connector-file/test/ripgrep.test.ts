// test-timeout: 600
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { buildPattern } from '@trove/text/grep';

import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { inFolder, search, type Folder } from './folder.js';

const test = suite('file connector, compared with ripgrep');

/** Common patterns, and patterns with a special meaning in ripgrep. */
const patterns = [
  '\\bпривет\\b',
  '\\w+ние',
  '\\p{Han}',
  '[[:space:]]TODO',
  '\\Aname',
  '\\bvar\\s+\\w+\\s*=',
  '^import .* from',
  'export (?:async )?function \\w+',
  '^\\s*//',
  '\\d{3,}',
  '^\\s*$',
  '^$',
  ';$',
  '\\S+@\\S+\\.\\w+',
  '[^\\x00-\\x7F]',
  '\\bГде\\b|\\bгде\\b',
  '(?i)größe',
  '(?i)ΣΊΣΥΦΟΣ',
  '(?i:todo|fixme)\\b',
  '\\p{Greek}+',
  '\\p{Cyrillic}{6,}',
  '\\p{Lu}\\p{Ll}+\\s\\p{Lu}',
  '\\pN',
  '\\PL{5}',
  '\\p{gc=L}$',
  '[\\p{Arabic}\\p{Hebrew}]',
  '[[:^ascii:]]',
  '[[:upper:]]{3}',
  '[a-z&&[^aeiou]]{5}',
  '[\\w--\\d]{12}',
  '[a-f~~d-k]{4}',
  '\\W{4}',
  '\\D\\d\\D',
  '\\s\\s\\S',
  '.{80}',
  '^.{1,3}$',
  '\\x{1F600}',
  '[\\x{1F300}-\\x{1FAFF}]',
  '\\u{4e00}|\\u65e5',
  'const\\s+(?P<name>\\w+)\\s*=\\s*\\{',
  '(?x) return \\s+ \\w+ ; # a comment',
  '(?U)".+"',
  '\\Bтие',
  '\\B-\\B',
  '(?-u:\\b)test(?-u:\\b)',
  '(?-u:\\w)+é',
  'K',
  '(?i)k\\b',
  'straße|STRASSE',
  '(?i)ſ',
  '[]()]{2}',
  '[^]a]b',
  'a**b',
  '(foo|bar|)baz?',
  '\\t\\t',
  '\\.(?:ts|js)\\b',
  '=>\\s*\\{?$',
  '\\bclass\\b.*\\bextends\\b',
  '\\A\\s*name\\b',
  '(?s)e.t',
  'ё|é|ü|ß',
  '^[\\s*]+@?\\w+',
];

/** Patterns that ripgrep rejects, too. */
const refused = [
  '(a)\\1',
  'a\\Z',
  '[a',
  '(a',
  '*a',
  'f() {',
  '\\p{Klingon}',
  'a\\n',
  '[\\b]',
  'a{2,1}',
];

const languages = [
  'скажи привет миру\nзнание и умение\nПриветик\nГде это где\nсобытие, участие\nещё ёлка\n',
  'Η γλώσσα του Σίσυφου\nσίσυφος ΣΊΣΥΦΟΣ Σίσυφος\nάλφα βήτα\n',
  '漢字かな交じり文\n日本語のテスト\n中文的一行\n繁體字\n',
  'مرحبا بالعالم ٣٤٥\nשלום עולם\n',
  'Die Größe der Straße\nGRÖSSE STRASSE\nÜbermaß\n',
  'Le café déjà vu\nnaïve façade\nécole élève\n',
  'हिन्दी में पाठ १२३\nภาษาไทย\n한국어 문장\n',
  'ıİiI Türkçe ğüşöç\nſtraße 300 \u212a\n',
  'smile 😀 and 🚀\nnarrow\u00a0space\u3000wide\nline\u2028separator\n',
  'name first\nsecond name\n\tTODO tab\n\u00a0TODO nbsp\n TODO space\r\nwindows line\r\nmail me@example.org\r\n',
  'var x = 1;\nvar\tзначение\t= 2;\nlet variable = 3;\n\n  var\u00a0y=4\n',
];

/** One in this many of Trove's own source files is searched. */
const sourcesApart = 8;

/** Writes enough files for a search in several threads: texts in many languages, and some of Trove's own sources. */
function writeTree(folder: Folder): void {
  for (const [index, text] of languages.entries()) {
    folder.write(`texts/${index}.txt`, text);
    folder.write(`texts/crlf/${index}.txt`, text.replaceAll(/\r?\n/g, '\r\n'));
    folder.write(`texts/open/${index}.txt`, text.trimEnd());
    folder.write(`texts/marked/${index}.txt`, `\ufeff${text}`);
    folder.write(`texts/utf16/${index}.txt`, Buffer.from(`\ufeff${text}`, 'utf16le'));
    const swapped = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    folder.write(`texts/utf16be/${index}.txt`, swapped);
    for (let copy = 0; copy < 10; copy++) {
      folder.write(`texts/many/${copy}/${index}.md`, text.repeat((copy % 7) + 1));
    }
  }
  let seen = 0;
  const top = fileURLToPath(new URL('../../../', import.meta.url));
  for (const part of ['packages', 'plugins', 'docs']) {
    for (const file of readdirSync(join(top, part), { recursive: true, withFileTypes: true })) {
      const at = join(file.parentPath, file.name);
      if (
        !file.isFile() ||
        /node_modules|dist|package-lock|\.tsbuildinfo|coverage|\/build\/|\.min\.|\.compiled\./.test(
          at,
        )
      )
        continue;
      if (/\.(?:ts|mjs|md|json|yaml)$/.test(file.name) && seen++ % sourcesApart === 0) {
        folder.write(`sources/${relative(top, at)}`, readFileSync(at));
      }
    }
  }
}

/** Turns off ripgrep's ignore rules, which differ, and selects Trove's line ends. */
const flags = ['--no-ignore', '--hidden', '--crlf', '--no-heading', '--line-number', '--null'];

function ripgrep(folder: string, pattern: string, ...more: string[]): string[] {
  const { stdout, status, stderr } = spawnSync(
    'rg',
    [...flags, '--color=never', ...more, '-e', pattern, '.'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1024 ** 3 },
  );
  if (status === 2) throw new Error(stderr);
  const places = stdout.split('\n').flatMap((line) => /^\.\/(.+?)\0(\d+):/.exec(line) ?? []);
  return placesOf(places);
}

/** Joins each path and line number of the matches to `path:line`. */
function placesOf(groups: readonly string[]): string[] {
  const places: string[] = [];
  for (let at = 0; at < groups.length; at += 3) places.push(`${groups[at + 1]}:${groups[at + 2]}`);
  return places.sort();
}

const testWithRipgrep = testUnless(missingProgram('rg', 'ripgrep (rg)'), test);

testWithRipgrep(
  'finds the lines that ripgrep finds',
  inFolder(async (folder) => {
    writeTree(folder);
    const connector = await folder.open();
    let found = 0;
    const differing: string[] = [];
    for (const [number, pattern] of patterns.entries()) {
      const ignoreCase = number % 4 === 3;
      const items = await search(connector, pattern, { regex: true, ignoreCase, limit: 1e6 });
      const ours = items.flatMap((item) =>
        'lines' in item ? `${item.path}:${item.lines[0]}` : [],
      );
      const theirs = ripgrep(folder.path, pattern, ...(ignoreCase ? ['--ignore-case'] : []));
      found += theirs.length;
      const difference = differenceOf(ours, theirs);
      if (difference !== null) differing.push(`${pattern}: ${difference}`);
      assert.equal(
        items.filter((item) => 'notice' in item),
        [],
        pattern,
      );
    }
    assert.equal(differing, []);
    assert.ok(found > 10_000, `only ${found} lines were compared`);
  }),
);

/** Requests with the equivalent options of ripgrep. */
const variants: readonly {
  readonly flags: readonly string[];
  readonly word?: boolean;
  readonly invert?: boolean;
  readonly globs?: readonly (readonly string[])[];
  readonly limitPerObject?: number;
}[] = [
  { flags: ['--word-regexp'], word: true },
  { flags: ['--invert-match'], invert: true },
  { flags: ['--word-regexp', '--invert-match'], word: true, invert: true },
  { flags: ['--glob=*.{md,txt}', '--glob=!many'], globs: [['*.md', '*.txt', '!many']] },
  { flags: ['--glob=!*.ts'], globs: [['!*.ts']] },
  { flags: ['--glob=/sources/**/test/*.ts'], globs: [['/sources/**/test/*.ts']] },
  {
    // In ripgrep, a glob overrides the type, so the glob lists the endings of the type.
    flags: ['--type=ts', '--glob=**/src/**/*.{ts,tsx,mts,cts}'],
    globs: [['*.ts', '*.tsx', '*.mts', '*.cts'], ['**/src/**']],
  },
  { flags: ['--max-count=2'], limitPerObject: 2 },
  { flags: ['--max-count=1', '--invert-match'], limitPerObject: 1, invert: true },
];

testWithRipgrep(
  'agrees with ripgrep on words, inversion, globs, types and limits',
  inFolder(async (folder) => {
    writeTree(folder);
    const connector = await folder.open();
    const differing: string[] = [];
    let found = 0;
    const some = patterns.filter((_, number) => number % 8 === 1);
    for (const { flags: more, word = false, invert = false, ...request } of variants) {
      for (const pattern of [...some, 'const|let', 'test', '-\\w', '(?x) name # a comment']) {
        const wanted = buildPattern({ pattern, regex: true, ignoreCase: false, word, invert });
        const items = await search(connector, wanted.pattern, {
          ...wanted,
          ...request,
          limit: 1e6,
        });
        const ours = items.flatMap((item) =>
          'lines' in item ? `${item.path}:${item.lines[0]}` : [],
        );
        const theirs = ripgrep(folder.path, pattern, ...more);
        found += theirs.length;
        const difference = differenceOf(ours, theirs);
        if (difference !== null) differing.push(`${more.join(' ')} ${pattern}: ${difference}`);
      }
    }
    assert.equal(differing, []);
    assert.ok(found > 20_000, `only ${found} lines were compared`);
  }),
);

testWithRipgrep(
  'shows the same text and position of each match as ripgrep',
  inFolder(async (folder) => {
    writeTree(folder);
    const connector = await folder.open();
    const differing: string[] = [];
    let found = 0;
    const request = { regex: true, onlyMatching: true, limit: 1e6 };
    // ripgrep shows the rest of the line after \A, too.
    const usual = patterns.filter((pattern) => !pattern.startsWith('\\A'));
    for (const pattern of [...usual, '\\w+ing\\b', '\\d+', '"[^"]*"', '\\w+\\(', '(?U)a.+b']) {
      const items = await search(connector, pattern, request);
      const ours = items.flatMap((item) => {
        if (!('lines' in item) || item.content === '') return [];
        return item.content.split('\n').map((text) => `${item.path}:${item.lines[0]}:${text}`);
      });
      const theirs = occurrences(folder.path, pattern);
      found += theirs.length;
      const difference = differenceOf(ours, theirs);
      if (difference !== null) differing.push(`${pattern}: ${difference}`);
    }
    assert.equal(differing, []);
    assert.ok(found > 10_000, `only ${found} occurrences were compared`);
  }),
);

/** Leaves out empty matches, because grep does not show them. */
function occurrences(folder: string, pattern: string): string[] {
  const { stdout } = spawnSync(
    'rg',
    [...flags, '--color=never', '--only-matching', '-e', pattern, '.'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1024 ** 3 },
  );
  return stdout.split('\n').flatMap((line) => {
    const [, path, number, text = ''] = /^\.\/(.+?)\0(\d+):(.*?)\r?$/s.exec(line) ?? [];
    return text === '' ? [] : [`${path}:${number}:${text}`];
  });
}

testWithRipgrep(
  'rejects the patterns that ripgrep rejects',
  inFolder(async (folder) => {
    folder.write('a.txt', 'text\n');
    const connector = await folder.open();
    for (const pattern of refused) {
      assert.throws(() => ripgrep(folder.path, pattern), undefined, pattern);
      const code = await codeOf(search(connector, pattern, { regex: true }));
      assert.is(code, 'validation_error', pattern);
    }
  }),
);

/** Returns some lines that only one side has; null if both are the same. */
function differenceOf(ours: readonly string[], theirs: readonly string[]): string | null {
  const [mine, other] = [new Set(ours), new Set(theirs)];
  const missing = theirs.filter((place) => !mine.has(place));
  const extra = ours.filter((place) => !other.has(place));
  if (missing.length === 0 && extra.length === 0) return null;
  return `${missing.length} missing (${missing[0] ?? ''}), ${extra.length} too many (${extra[0] ?? ''})`;
}

test.run();
