// test-waits
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connector, SourceRecord } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { rejection } from '@trove/test-support/rejection.js';
import { Git } from '../src/git.js';
import {
  calm,
  changed,
  found,
  listed,
  textAt,
  withRepositories,
  type Repositories,
} from './repository.js';

const test = suite('git connector, settings and files of a repository');

/** Paths of pipes below `.git`, with settings that lead git to the pipe. */
const pipes: readonly (readonly [place: string, setting?: string])[] = [
  ['config'],
  ['HEAD'],
  ['packed-refs'],
  ['refs/heads/main'],
  ['shallow'],
  ['objects/info/alternates'],
  ['objects/info/commit-graph'],
  ['objects/pack/multi-pack-index'],
  ['objects/ab/cdef'],
  ['commondir'],
  ['config.worktree', 'extensions.worktreeConfig=true'],
  ['info/attributes'],
  ['info/grafts'],
  ['pipe', 'include.path'],
  ['pipe', 'mailmap.file'],
  ['pipe', 'diff.orderFile'],
  ['pipe', 'core.attributesFile'],
  ['pipe', 'core.excludesFile'],
];

test(
  'is not blocked by pipes in a repository, and leaves no process',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md', 'text\n');
    repositories.commit('r');
    for (const [index, [place, setting]] of pipes.entries()) {
      const folder = `r${index}`;
      cpSync(repositories.at('r'), repositories.at(folder), { recursive: true });
      const git = repositories.at(`${folder}/.git`);
      const pipe = `${git}/${place}`;
      if (setting !== undefined) {
        const [name = '', value = pipe] = setting.split('=');
        repositories.git(folder, 'config', name, value);
      }
      rmSync(pipe, { force: true });
      mkdirSync(dirname(pipe), { recursive: true });
      execFileSync('mkfifo', [pipe]);
      const connector = await repositories.open(folder, { commits: 10 });
      const outcome = await allOf(connector).catch((error: unknown) => String(error));
      await connector.close();
      if (typeof outcome === 'string')
        assert.match(outcome, /is a pipe, a socket or a device/, pipe);
      else assert.equal(outcome, ['files/a.md', 'a change'], pipe);
    }
    await waitUntil(() => gitsIn(repositories.path).length === 0, 'no process is left');
  }),
);

test(
  'shows the same files under all settings of a repository',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/.gitattributes', '*.md diff=word filter=word\n');
    repositories.write('r/a.md', 'a\nfunction\n\tb\nc\n');
    repositories.write('r/b é.md', 'text\n');
    const first = repositories.commit('r', 'first');
    repositories.write('r/a.md', 'a  \nfunction\n\tbb\nc\n');
    repositories.git('r', 'mv', 'b é.md', 'c.md');
    const second = repositories.commit('r', 'zweite Änderung');
    repositories.git('r', 'checkout', '-q', '-b', 'side', 'HEAD~1');
    repositories.write('r/d.md', 'text\n');
    repositories.commit('r', 'aside');
    repositories.git('r', 'checkout', '-q', 'main');
    repositories.git('r', 'merge', '-q', '--no-ff', '-m', 'both', 'side');
    const shown = async (): Promise<unknown> => {
      const connector = await repositories.open('r', { commits: 10 });
      return [
        await listed(connector),
        await recordsOf(connector),
        await found(connector, 'function'),
        await textAt(connector, 'files/a.md'),
      ];
    };
    const before = await shown();
    const config = repositories.at('r/.git/config');
    appendFileSync(config, settingsOf(repositories));
    repositories.write('r/.git/info/attributes', '*.md -diff\n');
    repositories.write('r/.git/info/grafts', `${second}\n`);
    repositories.write('r/.git/refs/replace/' + second, `${first}\n`);
    assert.equal(await shown(), before);
    assert.not.ok(existsSync(repositories.at('ran')));
  }),
);

function settingsOf(repositories: Repositories): string {
  const program = `sh -c 'echo ran >> \\"${repositories.at('ran')}\\"'`;
  return `
[core]
  worktree = /nowhere
  quotePath = false
  bigFileThreshold = 1
  abbrev = 4
  whitespace = trailing-space
  precomposeUnicode = false
  pager = "${program}"
  fsmonitor = "${program}"
  sshCommand = "${program}"
  ignoreCase = true
  commitGraph = false
[color]
  ui = always
  diff = always
  grep = always
[i18n]
  commitEncoding = ISO-8859-1
  logOutputEncoding = UTF-16
[log]
  date = relative
  decorate = full
  follow = true
  showRoot = false
  diffMerges = first-parent
  showSignature = true
  mailmap = true
  excludeDecoration = *
[format]
  pretty = oneline
  notes = true
[notes]
  displayRef = refs/notes/*
[diff]
  algorithm = patience
  context = 0
  interHunkContext = 9
  external = "${program}"
  mnemonicPrefix = true
  noprefix = true
  renames = false
  renameLimit = 1
  relative = true
  submodule = log
  suppressBlankEmpty = true
  wordRegex = .
  colorMoved = zebra
  indentHeuristic = false
  wsErrorHighlight = all
  ignoreSubmodules = none
  statGraphWidth = 3
  orderFile = /dev/null
[diff "word"]
  textconv = "${program}"
  command = "${program}"
  xfuncname = "^nothing$"
  binary = true
[grep]
  patternType = perl
  lineNumber = false
  column = false
  fullName = false
  threads = 1
[filter "word"]
  smudge = "${program}"
[gpg]
  program = "${program}"
[mailmap]
  blob = HEAD:a.md
[pager]
  log = "${program}"
[alias]
  log = "!${program}"
[submodule]
  recurse = true
[include]
  path = nowhere
[unknown]
  setting = true
`;
}

test(
  'reads every kind of repository',
  withRepositories(async (repositories) => {
    repositories.init('inner', '--object-format=sha256');
    repositories.write('inner/a.md', 'text\n');
    repositories.commit('inner');
    repositories.git('inner', 'pack-refs', '--all');
    repositories.init('sub');
    repositories.write('sub/a.md', 'text\n');
    repositories.commit('sub');
    repositories.init('outer');
    const allowed = ['-c', 'protocol.file.allow=always'];
    repositories.git(
      'outer',
      ...allowed,
      'submodule',
      '--quiet',
      'add',
      repositories.at('sub'),
      'in',
    );
    repositories.git('outer', 'commit', '-q', '-m', 'with a submodule');
    repositories.git('', 'clone', '-q', '--shared', 'sub', 'shared');
    repositories.git(
      '',
      'clone',
      '-q',
      `--separate-git-dir=${repositories.at('apart')}`,
      'sub',
      'split',
    );
    repositories.git('sub', 'worktree', 'add', '-q', '-b', 'linked', '../linked');
    for (const folder of ['inner', 'outer/in', 'shared', 'split', 'linked', 'apart', 'sub/.git']) {
      const connector = await repositories.open(folder, { commits: 10 });
      assert.equal(await allOf(connector), ['files/a.md', 'a change'], folder);
    }
    const linked = await repositories.open('linked', { ref: 'linked' });
    assert.is(await textAt(linked, 'files/a.md'), 'text\n');
    const remote = await repositories.open('shared', { ref: 'origin/main' });
    assert.is(await textAt(remote, 'files/a.md'), 'text\n');
  }),
);

test(
  'finds objects in new alternates at the next sync',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md', 'text\n');
    repositories.commit('r');
    repositories.git('', 'clone', '-q', 'r', 'copy');
    const connector = await repositories.open('r');
    const { cursor } = await changed(connector, undefined);
    repositories.write('copy/b.md', 'more\n');
    const commit = repositories.commit('copy');
    writeFileSync(
      repositories.at('r/.git/objects/info/alternates'),
      `# objects\n${repositories.at('copy/.git/objects')}\n`,
    );
    writeFileSync(repositories.at('r/.git/refs/heads/main'), `${commit}\n`);
    const { changes } = await changed(connector, cursor);
    assert.is(changes.length, 1);
    assert.is(await textAt(connector, 'files/b.md'), 'more\n');
  }),
);

test('stops a git process without output', () =>
  withRepositories(async (repositories) => {
    const pipe = repositories.at('pipe');
    execFileSync('mkfifo', [pipe]);
    const { error } = connectorContext({ config: {}, target: 'git+file://local/' });
    const git = new Git(error, { maxSilenceMs: 100 });
    const silent = await rejection(() => git.text(['hash-object', pipe], { signal: calm() }));
    assert.match(String(silent), /gave no output for 0.1 seconds/);
    const leaving = new AbortController();
    const aborted = new Git(error).text(['hash-object', pipe], { signal: leaving.signal });

    await waitUntil(() => gitsIn(pipe).length > 0, 'git runs');
    leaving.abort();
    await aborted.then(assert.unreachable, () => undefined);
    await waitUntil(() => gitsIn(pipe).length === 0, 'no process is left');
  })());

test(
  'ends git when its parent process is killed',
  withRepositories(async (repositories) => {
    const pipe = repositories.at('pipe');
    execFileSync('mkfifo', [pipe]);
    const module = fileURLToPath(new URL('./support/waiting-git.ts', import.meta.url));
    const told = repositories.at('told');
    const args = ['--import', 'tsx', module, pipe, told];
    const parent = spawn(process.execPath, args, { stdio: 'ignore' });
    await waitUntil(() => existsSync(told) && gitsIn(pipe).length > 0, 'git runs');
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await waitUntil(() => gitsIn(pipe).length === 0, 'git ends');
  }),
);

/** Lists the processes with a path in their command line. */
function gitsIn(path: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const hasEnvironment = (): boolean =>
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(path);
        return words.includes('git') && (words.includes(path) || hasEnvironment());
      } catch {
        return false;
      }
    });
}

/** Returns the paths of the files and the titles of the commits. */
async function allOf(connector: Opened): Promise<(string | undefined)[]> {
  const { changes } = await changed(connector, undefined);
  const paths = changes.flatMap((change) => ('entry' in change ? [change.entry.path] : []));
  const titles = (await recordsOf(connector)).map(({ title }) => title);
  await found(connector, 'text');
  return [...paths.filter((path) => path.startsWith('files/')), ...titles];
}

type Opened = Awaited<ReturnType<Repositories['open']>>;

function recordsOf({ records }: Pick<Required<Connector>, 'records'>): Promise<SourceRecord[]> {
  return collect(records('commits/log.jsonl', { signal: calm() }));
}

test.run();
