import { dependsOnContent } from '@trove/text/ignore';

/** What tools write all the time and nobody searches. */
const ignoredFolder = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;
const ignoreFiles = new Set(['.gitignore', '.troveignore']);

/** What has to be looked at when something has changed at a path; '' for everything, null for nothing. */
export function affectedPathOf(path: string): string | null {
  if (ignoredFolder.test(path)) return null;
  const [, folder = '', name = path] = /^(?:(.*)\/)?(.*)$/.exec(path) ?? [];
  const parent = folder.slice(folder.lastIndexOf('/') + 1);
  // What lies beside it may be left out now, or taken in; what cannot be decoded is listed by another name.
  const isMore = ignoreFiles.has(name) || dependsOnContent(parent) || name.includes('\ufffd');
  return isMore ? folder : path;
}
