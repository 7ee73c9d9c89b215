import { everyThird, markedText, marksIn, nextEdition, type LawSource } from './sync-law.js';

/** A place of files. Writing a file creates its folders. */
export interface FileStore {
  write(path: string, text: string): void | Promise<void>;
  remove(path: string): void | Promise<void>;
  /** Called after each group of writes and removals. */
  commit?(): void | Promise<void>;
}

const paths = [
  'README.md',
  'notes.txt',
  'docs/100% sure #1.md',
  'docs/a b.txt',
  'docs/deep/😀 emoji.txt',
  'docs/deep/deeper/c.md',
  'other/d.md',
  'other/e.txt',
  'other/f/g.md',
];

/** Fills a place with marked files, and returns the members of their law source. */
export async function markedFiles(
  store: FileStore,
): Promise<Pick<LawSource, 'changeAll' | 'content' | 'removeThird'>> {
  const texts = new Map<string, string>();
  const write = async (path: string, text: string): Promise<void> => {
    texts.set(path, text);
    await store.write(path, text);
  };
  for (const path of paths) await write(path, `${markedText()}\n`);
  await store.commit?.();
  return {
    content: () => Object.fromEntries([...texts].map(([path, text]) => [path, marksIn(text)])),
    changeAll: async () => {
      for (const [path, text] of texts) await write(path, `${nextEdition(text)}And more.\n`);
      await store.commit?.();
    },
    removeThird: async () => {
      for (const path of everyThird(texts.keys())) {
        texts.delete(path);
        await store.remove(path);
      }
      await store.commit?.();
    },
  };
}
