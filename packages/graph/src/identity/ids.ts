import { createHash } from 'node:crypto';
import { normalizeName } from '@trove/text/names';

const idLength = 32;

/** Id of an entity of a graph, the same for all spellings of its name. */
export function entityId(graph: string, name: string): string {
  return idOf('entity', graph, normalizeName(name));
}

/** Id of a relation of a graph, the same for all spellings of its three parts. */
export function relationId(
  graph: string,
  subject: string,
  predicate: string,
  object: string,
): string {
  return idOf('relation', graph, ...[subject, predicate, object].map(normalizeName));
}

/** Id of a passage that its caller gave none: equal texts have the same. */
export function passageId(text: string): string {
  return idOf('passage', text);
}

/** 32 hexadecimal digits. The length of each part is hashed too, so that no two lists of parts are alike. */
function idOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex').slice(0, idLength);
}
