/** All items; none of an optional method that is not there. */
export async function collect<T>(items: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items ?? []) all.push(item);
  return all;
}
