/** Sorts the messages of a thread by time. A message without a time keeps its place after the previous one. */
export function sortByTime<T extends { readonly at?: number | undefined }>(
  messages: readonly T[],
): T[] {
  let last = -Infinity;
  const timed = messages.map((message) => ({ message, at: (last = message.at ?? last) }));
  timed.sort((left, right) => (left.at === right.at ? 0 : left.at - right.at));
  return timed.map(({ message }) => message);
}
