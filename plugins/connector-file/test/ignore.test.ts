import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { Folder, indexed, inFolder, level, reasonOf, search, shown } from './folder.js';

const test = suite('file connector, ignore rules');

function git(folder: Folder, args: string[], input = ''): string | null {
  const { status, stdout, error } = spawnSync('git', args, {
    cwd: folder.path,
    input,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
  return error !== undefined || status === null || status > 1 ? null : stdout;
}

test(
  'leaves out version control, dependencies, build output and lock files',
  inFolder(async (folder) => {
    const kept = [
      'src/index.ts',
      '.github/workflows/ci.yml',
      '.env.example',
      'package.json',
      'docs/build/how-to.md',
      'builder/x.ts',
      'distribution/x.md',
    ];
    const left = [
      '.git/config',
      '.hg/store',
      '.svn/entries',
      'node_modules/a/index.js',
      'packages/x/node_modules/a/index.js',
      'dist/index.js',
      'build/out.js',
      'target/debug/app.d',
      'vendor/lib/a.go',
      '__pycache__/a.pyc',
      '.venv/bin/activate',
      '.next/server.js',
      'package-lock.json',
      'sub/yarn.lock',
      'Cargo.lock',
      'go.sum',
      '.DS_Store',
      'a.pyc',
      'tsconfig.tsbuildinfo',
      'notes.md~',
      'x.egg-info/PKG-INFO',
    ];
    for (const path of [...kept, ...left]) folder.write(path);
    assert.equal(await indexed(await folder.open()), kept.toSorted());
  }),
);

test(
  'prefers rules of deeper folders and later lines',
  inFolder(async (folder) => {
    folder.write('.gitignore', '*.log\n*.MD\n/only-here.txt\n!keep.log\nsub/deep/*.tmp\nlogs/\n');
    folder.write('sub/.gitignore', '!special.log\n*.txt\n!only-here.txt\n');
    folder.write('sub/.troveignore', 'drafts\n!a.txt\n');
    const paths = [
      'a.log',
      'keep.log',
      'only-here.txt',
      'sub/special.log',
      'sub/other.log',
      'sub/only-here.txt',
      'sub/a.txt',
      'sub/b.txt',
      'sub/drafts/x.md',
      'sub/deep/x.tmp',
      'sub/deep/y/x.tmp',
      'x.tmp',
      'logs/x.md',
      'sub/logs/x.md',
      'drafts/x.md',
    ];
    for (const path of paths) folder.write(path);
    const found = await indexed(await folder.open());
    assert.equal(
      found.filter((path) => !path.includes('ignore')),
      [
        'drafts/x.md',
        'keep.log',
        'sub/a.txt',
        'sub/deep/y/x.tmp',
        'sub/only-here.txt',
        'sub/special.log',
        'x.tmp',
      ],
    );
  }),
);

test(
  'includes an ignored folder again, but no entry inside it',
  inFolder(async (folder) => {
    folder.write('.gitignore', 'closed/\n!closed/a.md\nopen/*\n!open/a.md\n!node_modules/\n');
    for (const path of ['closed/a.md', 'open/a.md', 'open/b.md', 'node_modules/x/a.md']) {
      folder.write(path);
    }
    const found = await indexed(await folder.open());
    assert.equal(found, ['.gitignore', 'node_modules/x/a.md', 'open/a.md']);
  }),
);

test(
  'gives configured patterns precedence',
  inFolder(async (folder) => {
    folder.write('.gitignore', 'secret/\n');
    for (const path of ['secret/a.md', 'dist/a.md', 'src/a.md', 'src/a.gen.md']) folder.write(path);
    const connector = await folder.open('', ['!secret/', '!dist/', '*.gen.md', '.gitignore']);
    assert.equal(await indexed(connector), ['dist/a.md', 'secret/a.md', 'src/a.md']);
  }),
);

test(
  "applies the repository's ignore files unless they ignore the root",
  inFolder(async (folder) => {
    folder.mkdir('repo/.git/info');
    folder.write('repo/.git/info/exclude', 'private.md\n');
    folder.write('repo/.gitignore', '*.log\n/docs/drafts/\n/output/\n');
    folder.write('.gitignore', '*.md\n');
    for (const path of ['a.md', 'a.log', 'private.md', 'drafts/a.md']) {
      folder.write(`repo/docs/${path}`);
      folder.write(`repo/output/${path}`);
    }
    assert.equal(await indexed(await folder.open('repo/docs')), ['a.md']);
    const all = ['a.log', 'a.md', 'drafts/a.md', 'private.md'];
    assert.equal(await indexed(await folder.open('repo/output')), all);
    const repo = await indexed(await folder.open('repo'));
    assert.equal(repo, ['.gitignore', 'docs/a.md']);
  }),
);

test(
  'treats a link like its target',
  inFolder(async (folder) => {
    folder.write('.gitignore', 'linked/\n');
    folder.write('real/a.md');
    symlinkSync('real', folder.at('linked'));
    symlinkSync('real', folder.at('node_modules'));
    symlinkSync('real', folder.at('other'));
    const connector = await folder.open();
    assert.equal(await indexed(connector), ['.gitignore', 'real/a.md']);
    const reason = (path: string): Promise<string> => reasonOf(connector, path);
    assert.match(await reason('linked'), '"linked/" (.gitignore:1)');
    assert.match(await reason('node_modules'), '"node_modules/" (built in)');
    assert.match(await reason('other'), 'a link: ');
  }),
);

test(
  'reads no ignore file that is a link, a folder or a pipe',
  inFolder(async (folder) => {
    folder.write('patterns', '*.md\n');
    symlinkSync('patterns', folder.at('.gitignore'));
    folder.mkdir('a/.gitignore');
    folder.pipe('.troveignore');
    folder.write('a/x.md');
    assert.equal(await indexed(await folder.open()), ['a/x.md', 'patterns']);
  }),
);

test(
  'searches and browses the same files as the listing',
  inFolder(async (folder) => {
    folder.write('.gitignore', '*.log\n');
    for (const path of ['a.md', 'a.log', 'node_modules/x/a.md']) folder.write(path, 'needle\n');
    const connector = await folder.open();
    assert.equal(shown(await search(connector, 'needle')), ['a.md:1:needle']);
    assert.equal(shown(await search(connector, 'needle', { path: 'node_modules/x' })), []);
    const entries = [...(await level(connector, '')).values()];
    assert.equal(
      entries.map(({ name, skip }) => [name, skip === undefined]),
      [
        ['.gitignore', true],
        ['a.log', false],
        ['a.md', true],
        ['node_modules', false],
      ],
    );
    assert.match(await reasonOf(connector, 'node_modules/x/a.md'), 'node_modules');
  }),
);

test(
  'names the file, line and pattern that leave an entry out',
  inFolder(async (folder) => {
    folder.mkdir('repo/.git');
    folder.write('repo/.gitignore', '# outer\n*.tmp\n');
    folder.write('repo/root/docs/.gitignore', '\n\ndrafts/\n');
    folder.write('repo/root/.troveignore', '*.secret\n');
    for (const path of [
      'docs/drafts/deep/a.md',
      'x.tmp',
      'a.secret',
      'b.md',
      'dist/b.md',
      'my.gen',
    ]) {
      folder.write(`repo/root/${path}`);
    }
    symlinkSync('/etc', folder.at('repo/root/etc'));
    const connector = await folder.open('repo/root', ['*.gen']);
    const reason = (path: string): Promise<string> => reasonOf(connector, path);
    assert.is(await reason('b.md'), '');
    assert.match(
      await reason('docs/drafts/deep/a.md'),
      'docs/drafts is ignored by "drafts/" (docs/.gitignore:3)',
    );
    assert.match(await reason('x.tmp'), '"*.tmp" (../.gitignore:2)');
    assert.match(await reason('a.secret'), '"*.secret" (.troveignore:1)');
    assert.match(await reason('my.gen'), '"*.gen" (configuration)');
    assert.match(await reason('dist/b.md'), '"dist/" (built in); "!dist/" in a .troveignore');
    assert.match(await reason('etc'), 'out of the source');
  }),
);

test(
  'agrees with git on hundreds of paths',
  inFolder(async (folder) => {
    if (git(folder, ['init', '-q']) === null) {
      console.log('skipped: git is not installed');
      return;
    }
    folder.write(
      '.gitignore',
      [
        '*.a',
        '!b.a',
        '/c',
        'd/',
        'e/f',
        '**/g/h',
        'i/**/j',
        'k?',
        '[lm].x',
        '\\#n',
        'o*p',
        '# c',
        'q ',
        '!/d/e/',
      ].join('\n'),
    );
    folder.write('e/.gitignore', ['!*.a', 'b.a', 'f.x', '/g'].join('\n'));
    folder.write('i/e/.gitignore', ['*', '!*/', '!b.a', '!.gitignore'].join('\n'));
    const names = [
      'b.a',
      'x.a',
      'c',
      'f',
      'h',
      'j',
      'k1',
      'l.x',
      'n.x',
      '#n',
      'oxp',
      'q',
      'f.x',
      'g',
      'd',
    ];
    for (const parent of ['', 'e/', 'i/', 'i/e/', 'i/x/y/', 'z/g/', 'd/', 'd/e/', 'e/g/', 'z/e/']) {
      for (const name of names) {
        if (['g', 'd', 'f'].includes(name) && ['', 'e/', 'z/'].includes(parent)) continue;
        folder.write(parent + name);
      }
    }
    const tracked = git(folder, ['ls-files', '-z', '--others', '--cached', '--exclude-standard']);
    const expected = (tracked ?? '')
      .split('\0')
      .filter((path) => path !== '')
      .sort();
    assert.ok(expected.length > 40, `${expected.length} paths`);
    assert.equal(await indexed(await folder.open()), expected);
  }),
);

test(
  'agrees with git on random patterns',
  inFolder(async (folder) => {
    if (git(folder, ['init', '-q']) === null) {
      console.log('skipped: git is not installed');
      return;
    }
    const random = numbers(7);
    const pick = (from: readonly string[]): string => from[random() % from.length] ?? '';
    const letters = ['a', 'b', 'ab', '-', ']', '['];
    const pieces = [...letters, '*', '?', '[ab]', '[!a]', '[^b-]', '[]a]', '[[:alpha:]]'];
    const odd = ['[a', '[z-a]', '\\*', '\\a', '[\\]]', '[[:no:]]', ' '];
    const few = (from: readonly string[]): string =>
      Array.from({ length: 1 + (random() % 3) }, () => pick(from)).join('');
    const pattern = (): string => {
      const name = (): string =>
        random() % 6 === 0 ? '**' : few(random() % 8 === 0 ? odd : pieces);
      const path = Array.from({ length: 1 + (random() % 3) }, name).join('/');
      return pick(['', '', '!', '/']) + path + pick(['', '', '/', ' ']);
    };
    const paths = new Set<string>();
    for (let count = 0; count < 60; count++) {
      const folders = Array.from({ length: random() % 3 }, () => `${few(letters)}.d/`);
      paths.add(folders.join('') + few(letters));
    }
    for (const path of paths) folder.write(path);
    const connector = await folder.open();
    for (let round = 0; round < 60; round++) {
      const patterns = Array.from({ length: 6 }, pattern).join('\n');
      folder.write('.gitignore', `${patterns}\n!.gitignore\n`);
      const tracked = git(folder, ['ls-files', '-z', '--others', '--exclude-standard']) ?? '';
      const expected = tracked.split('\0').filter((path) => path !== '');
      const found = (await indexed(connector)).filter((path) => !path.startsWith('.git/'));
      assert.equal(found, expected.sort(), patterns);
    }
  }),
);

test(
  'matches hostile patterns in bounded time',
  inFolder(async (folder) => {
    const deep = 'a/'.repeat(100);
    folder.write(
      '.gitignore',
      [
        '*a*a*a*a*a*a*a*b',
        '?*?*?*?*?*?*?*?*b',
        '**/a/'.repeat(8) + '**/b',
        'a/**/'.repeat(12) + 'b',
      ].join('\n'),
    );
    folder.write(`${'a'.repeat(240)}.txt`);
    folder.write(`${deep}c`);
    const connector = await folder.open('', ['**/a/'.repeat(8) + '**/b']);
    await assertCheap(20_000, async () => assert.equal((await indexed(connector)).length, 3));
  }),
);

/** Returns a random number generator with a seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state >> 8;
  };
}

test.run();
