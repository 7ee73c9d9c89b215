import { inject, injectable, createToken } from '@trove/core/di';
import { isTroveError, joinUri, type BrowseEntry } from '@trove/core';
import { anySignal } from '@trove/runtime';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import {
  SourceFinderToken,
  type Location,
  type SourceFinder,
} from '../../sources/connectors/source-finder.js';
import { SourceTreeToken, type SourceTree } from '../../sources/connectors/source-tree.js';
import { withoutRules } from './without-rules.js';
import { notSyncedReason } from './browse-service.js';

/** An answer without hits does not wait longer for its reason, because a source may be slow. */
const limitMs = 3000;

/** Why searches find nothing at a path. */
export interface PathReason {
  /** The canonical URI of the path. */
  readonly uri: string;
  readonly text: string;
  /** Whether the source has nothing at the path. Otherwise it leaves the path out, or has not indexed it. */
  readonly isMissing: boolean;
}

/** The token of `PathReasons` in an engine's container. */
export const PathReasonsToken = createToken<PathReasons>('engine.path_reasons');

/** Explains why searches find nothing at a path. */
@injectable()
export class PathReasons {
  readonly #sources: SourceFinder;
  readonly #tree: SourceTree;
  readonly #store: Pick<ActiveObjects, 'findObjects' | 'listObjects'>;

  constructor(
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(SourceTreeToken) tree: SourceTree,
    @inject(ActiveObjectsToken) store: Pick<ActiveObjects, 'findObjects' | 'listObjects'>,
  ) {
    this.#sources = sources;
    this.#tree = tree;
    this.#store = store;
  }

  /**
   * Returns why a path is not indexed, such as the rule that ignores it or a folder above it. Null if it is indexed, if
   * it has no single source, or if the source gives no reason in time.
   */
  async of(path: string, signal: AbortSignal): Promise<PathReason | null> {
    const limited = anySignal(signal, AbortSignal.timeout(limitMs));
    try {
      const location = await this.#sources.locate(path);
      return location.path === '' ? null : await this.#reasonAt(location, limited.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (limited.signal.aborted || isTroveError(error)) return null;
      throw error;
    } finally {
      limited.end();
    }
  }

  async #reasonAt(location: Location, signal: AbortSignal): Promise<PathReason | null> {
    const { record, path, uri } = location;
    const [object] = await this.#store.findObjects(record.id, [path]);
    const inside = { prefix: `${path}/`, after: null, limit: 1 };
    // A folder with known objects is searched, so the source need not be asked.
    if (object === undefined && (await this.#store.listObjects(record.id, inside)).length > 0)
      return null;
    const entry = object === undefined ? await this.#findEntry(location, path, signal) : null;
    const isMissing = object === undefined && entry === null;
    const text = isMissing
      ? await this.#reasonAbove(location, signal)
      : object === undefined
        ? unindexedReason(this.#sources.sees(record.rootUri) ? entry : entry && withoutRules(entry))
        : object.reason;
    if (text !== null) return { uri, text, isMissing: false };
    return isMissing ? { uri, text: 'there is nothing at this path', isMissing } : null;
  }

  /** Returns why the nearest existing folder above a missing path is left out, or null. */
  async #reasonAbove(location: Location, signal: AbortSignal): Promise<string | null> {
    const { rootUri } = location.record;
    for (let path = parentOf(location.path); path !== ''; path = parentOf(path)) {
      // A rule above the visible part may be in a hidden file.
      if (!this.#sources.sees(joinUri(rootUri, path))) return null;
      const entry = await this.#findEntry(location, path, signal);
      if (entry !== null) return entry.skip ?? null;
    }
    return null;
  }

  /** Finds the entry of a path in the listing of its folder, or null. */
  async #findEntry(
    location: Location,
    path: string,
    signal: AbortSignal,
  ): Promise<BrowseEntry | null> {
    const folder = parentOf(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    try {
      for await (const part of this.#tree.browse({ ...location, path: folder }, signal)) {
        const entry = part.find((each) => each.name === name);
        if (entry !== undefined) return entry;
      }
    } catch (error) {
      if (!isTroveError(error) || error.code !== 'not_found') throw error;
    }
    return null;
  }
}

function unindexedReason(entry: BrowseEntry | null): string | null {
  return entry?.skip ?? (entry?.type === 'file' ? notSyncedReason : null);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
