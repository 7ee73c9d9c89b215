/** The marks in the texts of each object, by path. An object without marks has an empty list. */
export type MarkedContent = Readonly<Record<string, readonly string[]>>;

/** A source with marked texts, which the law of syncs changes. */
export interface LawSource extends AsyncDisposable {
  readonly target: string;
  /** The configuration as users write it. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Returns the present content of the source, read without the connector. */
  content(): MarkedContent | Promise<MarkedContent>;
  /** Replaces each mark by one of the next edition. */
  changeAll(): void | Promise<void>;
  /** Deletes about a third of the marks. */
  removeThird(): void | Promise<void>;
  /** Makes the source forget everything that cursors refer to. */
  expireCursors?(): void | Promise<void>;
}

/** The case of a connector in the law of syncs: a sync leaves what a first crawl would find. */
export interface SyncLaw {
  /** The tested scheme, and others that the same code serves in the same way. */
  readonly schemes: readonly [string, ...string[]];
  /** The reason why the source cannot run on this machine, or null. Default null. */
  readonly unavailable?: string | null;
  /** Deletions that only a full sync finds. Default none. */
  readonly missesDeletions?: true;
  start(): Promise<LawSource>;
}

const pattern = /mark\d+edition\d+/g;

/** Returns the mark of an item in one of its editions. */
export function mark(item: number, edition: number): string {
  return `mark${item}edition${edition}`;
}

/** Returns the marks in a text or in the texts of a value, without repetitions and in order. */
export function marksIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [...new Set(text.match(pattern))].toSorted();
}

/** Replaces the marks of a text by those of the next edition. */
export function nextEdition(text: string): string {
  return text.replaceAll(pattern, (found) => {
    const [, item, edition] = /mark(\d+)edition(\d+)/.exec(found) ?? [];
    return mark(Number(item), Number(edition) + 1);
  });
}

/** Returns the first, the fourth, the seventh item and so on. */
export function everyThird<T>(items: Iterable<T>): T[] {
  return [...items].filter((_, at) => at % 3 === 0);
}

let items = 0;

/** Returns a text with a mark that no other text has. */
export function markedText(): string {
  return `The lantern ${mark(++items, 1)} glows in the greenhouse.`;
}
