/** The best `count` of `items` by `isBetter`, best first: a heap whose root is the worst of those kept. */
export function top<T>(items: Iterable<T>, count: number, isBetter: (a: T, b: T) => boolean): T[] {
  const heap: T[] = [];
  for (const item of items) {
    const root = heap[0];
    if (heap.length < count) {
      heap.push(item);
      rise(heap, isBetter);
    } else if (root !== undefined && isBetter(item, root)) {
      heap[0] = item;
      sink(heap, isBetter);
    }
  }
  return heap.sort((a, b) => (isBetter(a, b) ? -1 : 1));
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

/** Puts the worse of the two above. */
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
