import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RepositoryFormat } from './format.js';
import type { RepositoryLayout } from './layout.js';
import { statOf } from './regular-file.js';

/**
 * Creates a repository without settings, attributes, hooks or objects, unless the folder already has it, and returns its
 * path. Git reads the objects of the real repository through it and never sees the real configuration.
 */
export async function createView(
  folder: string,
  layout: RepositoryLayout,
  format: RepositoryFormat,
): Promise<string> {
  const described = JSON.stringify(format.refs === 'files' ? format : { ...format, ...layout });
  const hash = createHash('sha256').update(described).digest('hex').slice(0, 12);
  const view = join(folder, `view-${hash}`);
  if ((await statOf(join(view, 'HEAD'))) === null) {
    const temporary = join(folder, `making-${randomUUID()}`);
    try {
      await writeView(temporary, layout, format);
      await rename(temporary, view);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      // Another process may have created it.
      if ((await statOf(join(view, 'HEAD'))) === null) throw error;
    }
  }
  return hasOwnRefs(layout, format) ? join(view, worktreeName) : view;
}

const worktreeName = 'worktrees/own';

/** Returns whether git must read refs of the working tree, such as HEAD, from another folder. */
function hasOwnRefs({ gitDir, commonDir }: RepositoryLayout, { refs }: RepositoryFormat): boolean {
  return refs === 'reftable' && gitDir !== commonDir;
}

async function writeView(
  view: string,
  layout: RepositoryLayout,
  format: RepositoryFormat,
): Promise<void> {
  await mkdir(join(view, 'refs'), { recursive: true });
  await writeFile(join(view, 'HEAD'), 'ref: refs/heads/.invalid\n');
  await writeFile(join(view, 'config'), configOf(format));
  if (format.refs === 'files') return;
  await symlink(join(layout.commonDir, 'reftable'), join(view, 'reftable'));
  if (!hasOwnRefs(layout, format)) return;
  const own = join(view, worktreeName);
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
