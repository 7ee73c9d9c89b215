/** Returns all items. An unsupported optional method yields none. */
export async function collect<T>(items: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items ?? []) all.push(item);
  return all;
}
