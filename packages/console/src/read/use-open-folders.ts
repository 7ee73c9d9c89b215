import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../parts/failure.js';
import { useSession } from '../session-context.js';
import type { TreeFolder } from './tree-rows.js';

interface OpenFolders {
  readonly open: ReadonlyMap<string, TreeFolder>;
  readonly toggle: (path: string) => void;
}

/** Keeps the opened folders of the tree. Opens the given folders when they change. */
export function useOpenFolders(shown: readonly string[]): OpenFolders {
  const session = useSession();
  const [open, setOpen] = useState<ReadonlyMap<string, TreeFolder>>(new Map());
  const known = useRef(open);
  const set = useCallback((path: string, folder: TreeFolder | null): void => {
    const next = new Map(known.current);
    if (folder === null) next.delete(path);
    else next.set(path, folder);
    known.current = next;
    setOpen(next);
  }, []);
  const load = useCallback(async (path: string): Promise<void> => {
    if (known.current.has(path)) return;
    set(path, { state: 'loading' });
    try {
      const { entries } = await session.client.browse.ls({ path });
      if (known.current.has(path)) set(path, { state: 'ready', entries });
    } catch (error) {
      session.notice(error);
      set(path, { state: 'failed', message: messageOf(error) });
    }
  }, []);
  useEffect(() => {
    for (const path of shown) void load(path);
  }, [shown.join('\n')]);
  const toggle = useCallback((path: string): void => {
    if (known.current.has(path)) set(path, null);
    else void load(path);
  }, []);
  return { open, toggle };
}
