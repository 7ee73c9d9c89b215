import { setImmediate as immediate } from 'node:timers/promises';

/** Small enough to be written quickly, large enough for the same throughput as one piece. */
const pieceChars = 64 * 1024;

/** Yields the JSON text of a response in pieces. Other requests run between the pieces. */
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

/** Splits arrays at the top two levels into items, because they may be long. */
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
