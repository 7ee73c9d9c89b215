import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RepositoryFormat } from './format.js';
import type { RepositoryLayout } from './layout.js';
import { statOf } from './regular-file.js';

/**
 * Makes a repository without settings, attributes, hooks or objects, once for each folder that it is kept in, and
 * returns its path. Git reads another repository's objects through it, and never sees that one's configuration.
 */
export async function createView(
  folder: string,
  layout: RepositoryLayout,
  format: RepositoryFormat,
): Promise<string> {
  const described = JSON.stringify(format.refs === 'files' ? format : { ...format, ...layout });
  const hash = createHash('sha256').update(described).digest('hex').slice(0, 12);
  const place = join(folder, `view-${hash}`);
  if ((await statOf(join(place, 'HEAD'))) === null) {
    const made = join(folder, `making-${randomUUID()}`);
    try {
      await writeView(made, layout, format);
      await rename(made, place);
    } catch (error) {
      await rm(made, { recursive: true, force: true });
      // Another process has made it meanwhile.
      if ((await statOf(join(place, 'HEAD'))) === null) throw error;
    }
  }
  return hasOwnRefs(layout, format) ? join(place, worktreeName) : place;
}

const worktreeName = 'worktrees/own';

/** Whether the refs of the working tree, such as HEAD, are among those that git itself has to read. */
function hasOwnRefs({ gitDir, commonDir }: RepositoryLayout, { refs }: RepositoryFormat): boolean {
  return refs === 'reftable' && gitDir !== commonDir;
}

async function writeView(
  place: string,
  layout: RepositoryLayout,
  format: RepositoryFormat,
): Promise<void> {
  await mkdir(join(place, 'refs'), { recursive: true });
  await writeFile(join(place, 'HEAD'), 'ref: refs/heads/.invalid\n');
  await writeFile(join(place, 'config'), configOf(format));
  if (format.refs === 'files') return;
  await symlink(join(layout.commonDir, 'reftable'), join(place, 'reftable'));
  if (!hasOwnRefs(layout, format)) return;
  const own = join(place, worktreeName);
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/.invalid\n');
  await writeFile(join(own, 'commondir'), '../..\n');
  await symlink(join(layout.gitDir, 'reftable'), join(own, 'reftable'));
}

function configOf({ objects, refs }: RepositoryFormat): string {
  const version = objects === 'sha1' && refs === 'files' ? 0 : 1;
  const core = ['[core]', `repositoryFormatVersion = ${version}`, 'bare = true'];
  const extensions = [
    ...(objects === 'sha1' ? [] : [`objectFormat = ${objects}`]),
    ...(refs === 'files' ? [] : [`refStorage = ${refs}`]),
  ];
  const lines = extensions.length === 0 ? core : [...core, '[extensions]', ...extensions];
  return `${lines.join('\n')}\n`;
}
