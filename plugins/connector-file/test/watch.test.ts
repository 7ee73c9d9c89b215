import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectorContext } from '@trove/testkit';

import { skipReason, testUnless } from '@trove/test-support/skips.js';
import { inFolder, plugin, targetOf } from './folder.js';

const test = suite('file connector, watching');

test(
  'reports the start of a watch, then written, moved and removed files',
  inFolder(async (folder) => {
    folder.write('docs/a.md', 'one');
    const context = connectorContext({ config: { ignore: [] }, target: targetOf(folder.path) });
    const connector = await plugin.create(context);
    const controller = new AbortController();
    const paths = connector.watch?.({ signal: controller.signal })[Symbol.asyncIterator]();
    const next = async (wanted: string): Promise<void> => {
      for (;;) {
        const step = await paths?.next();
        if (step === undefined || step.done === true) throw new Error('It watches no more.');
        if (step.value === wanted) return;
        assert.not.match(step.value, /node_modules|\.git/);
      }
    };
    await next('');
    folder.write('docs/a.md', 'another');
    await next('docs/a.md');
    folder.write('node_modules/x/index.js', 'noise');
    folder.write('.git/index', 'noise');
    folder.write('new/deep/b.md', 'in new folders');
    await next('new');
    folder.write('c.md', 'at the top');
    await next('c.md');
    controller.abort(new Error('enough'));
    await assertRejects(async () => paths?.next(), /enough/);
    await connector.close?.();
  }),
);

test(
  'watches a folder again after its removal, renaming or replacement',
  inFolder(async (folder) => {
    const root = folder.at('root');
    folder.write('root/a.md', 'one');
    const target = targetOf(root);
    const connector = await plugin.create(connectorContext({ config: { ignore: [] }, target }));
    const controller = new AbortController();
    const paths = connector.watch?.({ signal: controller.signal })[Symbol.asyncIterator]();
    const next = async (wanted: string): Promise<void> => {
      for (;;) {
        const step = await paths?.next();
        if (step === undefined || step.done === true) throw new Error('The watch ended.');
        if (step.value === wanted) return;
      }
    };
    await next('');
    const replacements = [
      () => rmSync(root, { recursive: true }),
      () => renameSync(root, folder.at('renamed')),
      () => {
        rmSync(root, { recursive: true });
        folder.write('elsewhere/b.md', 'two');
        symlinkSync(folder.at('elsewhere'), root);
      },
    ];
    for (const [index, replace] of replacements.entries()) {
      replace();
      if (index < 2) folder.write('root/later.md', 'the folder is there again');
      // Writes before the new watch are part of its report.
      for (let wasSeen = false; !wasSeen;) {
        const step = await paths?.next();
        if (step === undefined || step.done === true) throw new Error('The watch ended.');
        if (step.value === '') folder.write(`root/edit-${index}.md`, String(performance.now()));
        wasSeen = step.value === `edit-${index}.md`;
      }
    }
    controller.abort(new Error('enough'));
    await assertRejects(async () => paths?.next(), /enough/);
    await connector.close?.();
  }),
);

test(
  'watches a folder that is created later',
  inFolder(async (folder) => {
    const target = targetOf(folder.at('later'));
    const connector = await plugin.create(connectorContext({ config: { ignore: [] }, target }));
    const controller = new AbortController();
    const paths = connector.watch?.({ signal: controller.signal })[Symbol.asyncIterator]();
    assert.is(
      (await paths?.next())?.value,
      '',
      'the first report starts a sync, which reports the missing folder',
    );
    folder.write('later/a.md', 'one');
    assert.is((await paths?.next())?.value, '');
    folder.write('later/b.md', 'two');
    assert.is((await paths?.next())?.value, 'b.md');
    controller.abort(new Error('enough'));
    await assertRejects(async () => paths?.next(), /enough/);
    await connector.close?.();
  }),
);

async function assertRejects(work: () => Promise<unknown>, message: RegExp): Promise<void> {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.match(String(error), message);
}

/** Runs a command in a user namespace with a limit of eight watches. */
function withFewWatches(...command: readonly string[]) {
  const limited = 'echo 8 > /proc/sys/user/max_inotify_watches && exec "$@"';
  const options = ['--user', '--map-root-user', 'sh', '-c', limited, 'sh', ...command];
  return spawnSync('unshare', options, { encoding: 'utf8', timeout: 120_000 });
}

const canLimit = withFewWatches('true').status === 0;

testUnless(canLimit ? null : skipReason('this system cannot limit watches'), test)(
  'reports the limit of watches, and watches after it is raised',
  inFolder(async (folder) => {
    for (let n = 0; n < 30; n++) folder.write(`${n}/a.md`, 'one');
    const script = fileURLToPath(new URL('limited-watch.ts', import.meta.url));
    const { stdout, stderr } = withFewWatches(
      process.execPath,
      '--import',
      'tsx',
      script,
      folder.path,
    );
    assert.is(stdout, 'The system has reached its limit of watched folders.\n29/a.md\n', stderr);
  }),
);

test.run();
