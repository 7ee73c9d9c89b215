import { type ConnectorRow, type LsEntry, TroveApiError } from '@trove/client';

import { localPathOf } from '../paths/large-target.js';
import type { Cli } from '../session/cli.js';

/** What the server knows about a path. */
export type Finding =
  /** No source contains the path. `below` lists the sources inside it. */
  | { readonly kind: 'outside'; readonly below: readonly string[] }
  | { readonly kind: 'source'; readonly source: ConnectorRow }
  | { readonly kind: 'entry'; readonly source: ConnectorRow; readonly entry: LsEntry }
  /** The path does not exist. `above` is its nearest existing ancestor. */
  | {
      readonly kind: 'missing';
      readonly source: ConnectorRow;
      readonly above: LsEntry | null;
    };

export async function findTarget(cli: Cli, target: string): Promise<Finding> {
  const { connectors } = await cli.client.server.status();
  const holders = connectors.filter(({ root_uri }) => isWithin(target, root_uri));
  const source = holders.toSorted((a, b) => b.root_uri.length - a.root_uri.length)[0];
  if (source === undefined) {
    const below = connectors.filter(({ root_uri }) => isWithin(root_uri, target));
    return { kind: 'outside', below: below.map(({ root_uri }) => root_uri) };
  }
  if (isWithin(source.root_uri, target)) return { kind: 'source', source };
  const entry = await findEntry(cli, target);
  if (entry !== null) return { kind: 'entry', source, entry };
  return {
    kind: 'missing',
    source,
    above: await findNearestAncestor(cli, target, source.root_uri),
  };
}

/** Finds the entry of a path in the listing of its folder, or null. */
async function findEntry(cli: Cli, target: string): Promise<LsEntry | null> {
  const name = nameOf(target);
  const inFolder = await list(cli, parentOf(target));
  if (inFolder === 'gone') return null;
  if (inFolder !== 'too many') return inFolder.find((entry) => entry.name === name) ?? null;
  const itself = await list(cli, target);
  if (typeof itself === 'string') return null;
  return itself.find((entry) => entry.name === name && entry.type === 'file') ?? null;
}

async function findNearestAncestor(
  cli: Cli,
  target: string,
  root: string,
): Promise<LsEntry | null> {
  for (let path = parentOf(target); !isWithin(root, path); path = parentOf(path)) {
    const entry = await findEntry(cli, path);
    if (entry !== null) return entry;
  }
  return null;
}

async function list(cli: Cli, path: string): Promise<readonly LsEntry[] | 'gone' | 'too many'> {
  try {
    return (await cli.client.browse.ls({ path })).entries;
  } catch (error) {
    if (!(error instanceof TroveApiError)) throw error;
    if (error.code === 'not_found') return 'gone';
    if (error.code === 'not_supported') return 'too many';
    throw error;
  }
}

/** Tests if a path or URI equals another one or lies below it. */
function isWithin(inner: string, outer: string): boolean {
  const [path, folder] = [withoutTrailingSlash(inner), withoutTrailingSlash(outer)];
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function withoutTrailingSlash(target: string): string {
  return (localPathOf(target) ?? target).replace(/(?<=[^/:])\/+$/, '');
}

function parentOf(target: string): string {
  const path = withoutTrailingSlash(target);
  const parent = path.slice(0, path.lastIndexOf('/'));
  return parent === '' ? '/' : parent;
}

function nameOf(target: string): string {
  const local = localPathOf(target);
  const path = withoutTrailingSlash(target);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (local !== null) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
