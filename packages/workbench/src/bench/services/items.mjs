const dayMs = 86_400_000;
const sentence =
  'The harbour master writes down which ship came, from where, and what it carried. ';

/** Returns the item with an id: 200 characters, a day old. */
export function itemOf(id) {
  const text = `${sentence.repeat(2)}Ship ${id} came at ${id % 24}.`;
  return { id, title: `Ship ${id}`, text, version: 1, updated: Date.now() - dayMs };
}
