import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { World } from '../../../packages/engine/test/support/engine.js';
import { plugin, targetOf, withRepositories } from './repository.js';

const test = suite('git connector, times in searches');

const dayMs = 86_400_000;

test(
  'filters and sorts hits by the times of commits',
  withRepositories(async (repositories) => {
    repositories.init('r');
    const today = Math.floor(Date.now() / 1000) * 1000;
    const commitAt = (time: number): void => {
      repositories.time = { GIT_COMMITTER_DATE: `@${time / 1000} +0000` };
      repositories.commit('r');
    };
    repositories.write('r/old.md', 'A lamp of old brass.\n');
    repositories.write('r/new.md', 'A lamp.\n');
    commitAt(today - 100 * dayMs);
    repositories.write('r/new.md', 'A lamp with a new wick.\n');
    commitAt(today - 2 * dayMs);
    let reads = 0;
    const counting = {
      ...plugin,
      create: async (context: Parameters<typeof plugin.create>[0]) => {
        const connector = await plugin.create(context);
        const { read } = connector;
        return {
          ...connector,
          read: (...args: Parameters<NonNullable<typeof read>>) => {
            reads++;
            if (read === undefined) throw new Error('The connector has no `read`.');
            return read(...args);
          },
        };
      },
    };
    const engine = await new World().open({ plugins: [counting] });
    const sync = async (): Promise<string> => {
      const { job_id: id } = await engine.add({
        target: targetOf(repositories.at('r')),
        config: { commits: 0 },
        process: true,
      });
      return (await engine.job(id)).status;
    };
    const search = async (request: object): Promise<string[]> => {
      const { results } = await engine.search({ q: 'lamp', mode: 'keyword', ...request });
      return results.map(
        ({ source, metadata }) => `${source.split('/').at(-1)} ${metadata.modified_at}`,
      );
    };
    const timeOf = (days: number): string => new Date(today - days * dayMs).toISOString();
    const [older, newer] = [`old.md ${timeOf(100)}`, `new.md ${timeOf(2)}`];
    assert.is(await sync(), 'succeeded');
    assert.equal(await search({ sort: 'modified' }), [newer, older]);
    assert.equal(await search({ since: '7d' }), [newer]);
    assert.equal(await search({ filter: `modified_at < "${timeOf(50)}"` }), [older]);

    repositories.write('r/old.md', 'A lamp of polished brass.\n');
    repositories.git('r', 'update-index', '--chmod=+x', 'new.md');
    commitAt(today - dayMs);
    reads = 0;
    assert.is(await sync(), 'succeeded');
    assert.is(reads, 1, 'reads only the file with other content');
    assert.equal(await search({ sort: 'modified' }), [`old.md ${timeOf(1)}`, newer]);
    await engine.close();
  }),
);

test.run();
