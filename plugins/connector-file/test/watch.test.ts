import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectorContext } from '@trove/testkit';

import { inFolder, plugin, targetOf } from './folder.js';

const test = suite('file connector, watching');

test(
  'says that it watches, then what is written, moved and removed',
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
  'a folder that is not there cannot be watched',
  inFolder(async (folder) => {
    const target = targetOf(folder.at('nowhere'));
    const connector = await plugin.create(connectorContext({ config: { ignore: [] }, target }));
    const { signal } = new AbortController();
    const paths = connector.watch?.({ signal })[Symbol.asyncIterator]();
    await assertRejects(async () => paths?.next(), /cannot be watched/);
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

test.run();
