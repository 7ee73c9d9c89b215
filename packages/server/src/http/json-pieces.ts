import { setImmediate as immediate } from 'node:timers/promises';

/** Small enough to be written in a moment, large enough to cost no more than all at once. */
const pieceChars = 64 * 1024;

/** The JSON text of an answer in pieces, between which other requests have their turn. */
export async function* jsonPieces(answer: unknown): AsyncGenerator<Buffer, void, undefined> {
  let text = '';
  for (const part of partsOf(answer)) {
    text += part;
    if (text.length < pieceChars) continue;
    yield Buffer.from(text);
    text = '';
    await immediate();
  }
  yield Buffer.from(text);
}

/** Lists, which may be long, item by item, at the top and one level below it. */
function* partsOf(value: unknown, depth = 0): Generator<string, void, undefined> {
  if (Array.isArray(value)) {
    yield '[';
    let separator = '';
    for (const item of value) {
      yield `${separator}${JSON.stringify(item) ?? 'null'}`;
      separator = ',';
    }
    yield ']';
  } else if (depth === 0 && typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    yield '{';
    for (const [at, [name, member]] of members.entries()) {
      yield `${at === 0 ? '' : ','}${JSON.stringify(name)}:`;
      yield* partsOf(member, depth + 1);
    }
    yield '}';
  } else {
    yield JSON.stringify(value);
  }
}
