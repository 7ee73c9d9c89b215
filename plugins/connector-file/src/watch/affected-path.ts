import { dependsOnContent } from '@trove/text/ignore';

/** Folders that tools write to constantly and that are never indexed. */
const ignoredFolder = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;
const ignoreFiles = new Set(['.gitignore', '.troveignore']);

/** Returns the path to list again after a change. '' stands for the whole source, null for nothing. */
export function affectedPathOf(path: string): string | null {
  if (ignoredFolder.test(path)) return null;
  const [, folder = '', name = path] = /^(?:(.*)\/)?(.*)$/.exec(path) ?? [];
  const parent = folder.slice(folder.lastIndexOf('/') + 1);
  // Ignore rules affect siblings. An undecodable name is listed in escaped form.
  const affectsFolder =
    ignoreFiles.has(name) || dependsOnContent(parent) || name.includes('\ufffd');
  return affectsFolder ? folder : path;
}
