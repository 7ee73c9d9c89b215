import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';

import { startHttpBackend } from '@trove/test-support/git-http-backend.js';
import { markedFiles } from '@trove/test-support/marked-files.js';
import { marksIn, type LawSource, type SyncLaw } from '@trove/test-support/sync-law.js';
import { Repositories, targetOf } from './repository.js';

/** The index keeps the time of a file whose content stays, so all commits have the same time. */
const time = {
  GIT_AUTHOR_DATE: '2024-02-29T12:00:00Z',
  GIT_COMMITTER_DATE: '2024-02-29T12:00:00Z',
};

/** A repository whose commits are read, too. */
async function startRepository(): Promise<LawSource & { readonly repositories: Repositories }> {
  const repositories = new Repositories();
  repositories.time = time;
  repositories.init('world');
  const { content, ...files } = await markedFiles({
    write: (path, text) => repositories.write(`world/${path}`, text),
    remove: (path) => rmSync(repositories.at(`world/${path}`)),
    commit: () => void repositories.commit('world'),
  });
  return {
    repositories,
    target: targetOf(repositories.at('world')),
    ...files,
    async content() {
      const inFiles = Object.entries(await content()).map(
        ([path, marks]) => [`files/${path}`, marks] as const,
      );
      const history = marksIn(repositories.git('world', 'log', '-p'));
      return { ...Object.fromEntries(inFiles), 'commits/log.jsonl': history };
    },
    expireCursors: () => {
      repositories.git('world', 'commit', '-q', '--amend', '-m', 'Otherwise');
      repositories.git('world', 'reflog', 'expire', '--expire=now', '--all');
      repositories.git('world', 'gc', '-q', '--prune=now');
    },
    [Symbol.asyncDispose]: () => repositories.remove(),
  };
}

export const law: SyncLaw = { schemes: ['git+file'], start: startRepository };

/** The same repository over HTTP. */
export const remoteLaw: SyncLaw = {
  schemes: ['git+http', 'git+https'],
  async start() {
    const backend = await startHttpBackend(tmpdir());
    const { repositories, ...source } = await startRepository();
    const path = `${basename(repositories.path)}/world/.git`.replaceAll(' ', '%20');
    return {
      ...source,
      target: `git+http://${backend.host}/${path}`,
      config: { max_bytes: 100_000_000 },
      async [Symbol.asyncDispose]() {
        await backend.stop();
        await repositories.remove();
      },
    };
  },
};
