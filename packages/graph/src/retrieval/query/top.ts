/** Returns the best `count` of `items` by `isBetter`, best first. */
export function top<T>(items: Iterable<T>, count: number, isBetter: (a: T, b: T) => boolean): T[] {
  const best = new Top(count, isBetter);
  for (const item of items) best.add(item);
  return best.sorted();
}

/** Keeps the best `count` of the added items by `isBetter`, in a heap with the worst kept item as its root. */
export class Top<T> {
  readonly #count: number;
  readonly #isBetter: (a: T, b: T) => boolean;
  readonly #heap: T[] = [];

  constructor(count: number, isBetter: (a: T, b: T) => boolean) {
    this.#count = count;
    this.#isBetter = isBetter;
  }

  /** Returns the item that a further one must exceed, or undefined while fewer than `count` are kept. */
  get worst(): T | undefined {
    return this.#heap.length < this.#count ? undefined : this.#heap[0];
  }

  add(item: T): void {
    const root = this.#heap[0];
    if (this.#heap.length < this.#count) {
      this.#heap.push(item);
      rise(this.#heap, this.#isBetter);
    } else if (root !== undefined && this.#isBetter(item, root)) {
      this.#heap[0] = item;
      sink(this.#heap, this.#isBetter);
    }
  }

  /** Returns the kept items, best first. No items can be added afterwards. */
  sorted(): T[] {
    return this.#heap.sort((a, b) => (this.#isBetter(a, b) ? -1 : 1));
  }
}

function rise<T>(heap: T[], isBetter: (a: T, b: T) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!swapIfBetter(heap, parent, at, isBetter)) return;
    at = parent;
  }
}

function sink<T>(heap: T[], isBetter: (a: T, b: T) => boolean): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const worse = isWorse(heap, right, left, isBetter) ? right : left;
    if (worse >= heap.length || !swapIfBetter(heap, at, worse, isBetter)) return;
    at = worse;
  }
}

function isWorse<T>(
  heap: readonly T[],
  a: number,
  b: number,
  isBetter: (a: T, b: T) => boolean,
): boolean {
  const first = heap[a];
  const second = heap[b];
  return first !== undefined && second !== undefined && isBetter(second, first);
}

/** Moves the worse of the two items up. Returns whether they were swapped. */
function swapIfBetter<T>(
  heap: T[],
  above: number,
  below: number,
  isBetter: (a: T, b: T) => boolean,
): boolean {
  const upper = heap[above];
  const lower = heap[below];
  if (upper === undefined || lower === undefined || !isBetter(upper, lower)) return false;
  heap[above] = lower;
  heap[below] = upper;
  return true;
}
