import { withoutCheckpoints, type Checkpoint } from '@trove/core';

/** Returns all items except checkpoints. An unsupported optional method yields none. */
export async function collect<T>(
  items: AsyncIterable<T> | undefined,
): Promise<Exclude<T, Checkpoint>[]> {
  const all: Exclude<T, Checkpoint>[] = [];
  if (items !== undefined) for await (const item of withoutCheckpoints(items)) all.push(item);
  return all;
}
