import { join } from 'node:path';

import type { Git } from '../git.js';
import type { GitErrorFactory } from '../failures.js';
import { readStart } from './regular-file.js';

/** The format of objects and refs. Trove takes nothing else from the configuration of a repository. */
export interface RepositoryFormat {
  readonly objects: 'sha1' | 'sha256';
  readonly refs: 'files' | 'reftable';
}

const maxConfigBytes = 1024 * 1024;
/** Extensions that do not affect the reading of objects and refs. */
const harmlessExtensions = new Set([
  'compatobjectformat',
  'noop',
  'noop-v1',
  'partialclone',
  'preciousobjects',
  'relativeworktrees',
  'submodulepathconfig',
  'worktreeconfig',
]);

/** Reads the format of a repository. Throws `connector_unhealthy` for an unknown format. */
export async function readFormat(
  commonDir: string,
  {
    git,
    error,
    signal,
  }: { readonly git: Git; readonly error: GitErrorFactory; readonly signal: AbortSignal },
): Promise<RepositoryFormat> {
  const input = await readStart(join(commonDir, 'config'), maxConfigBytes);
  // Git parses the file from its input, without applying the settings.
  const args = ['config', '--no-includes', '--null', '--list', '--file', '-'];
  const settings = new Map(
    (await git.text(args, { signal, input: Buffer.from(input ?? '', 'latin1') }))
      .split('\0')
      .map((setting): [string, string] => {
        const [name = '', ...value] = setting.split('\n');
        return [name, value.join('\n').toLowerCase()];
      }),
  );
  const version = Number(settings.get('core.repositoryformatversion') ?? 0);
  // Git ignores extensions in version 0.
  const extensions =
    version === 0 ? [] : Array.from(settings).filter(([name]) => name.startsWith('extensions.'));
  const format: { -readonly [K in keyof RepositoryFormat]: RepositoryFormat[K] } = {
    objects: 'sha1',
    refs: 'files',
  };
  for (const [name, value] of extensions) {
    const extension = name.slice('extensions.'.length);
    if (extension === 'objectformat' && (value === 'sha1' || value === 'sha256'))
      format.objects = value;
    else if (extension === 'refstorage' && (value === 'files' || value === 'reftable'))
      format.refs = value;
    else if (!harmlessExtensions.has(extension))
      throw unknown(`the extension ${extension} = ${value}`);
  }
  if (version === 0 || version === 1) return format;
  throw unknown(`the version ${version}`);

  function unknown(what: string): Error {
    return error('connector_unhealthy', `The format of the repository is unknown: ${what}.`, {
      suggestions: ['Clone it with git and add the clone.'],
    });
  }
}
