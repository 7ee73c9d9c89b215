import { createHash } from 'node:crypto';
import { canonicalName, normalizeName } from '@trove/text/names';

const idLength = 32;

/** Returns the id of an entity, equal for all spellings of its name, with or without titles and legal forms. */
export function entityId(graph: string, name: string): string {
  return idOf('entity', graph, canonicalName(name));
}

/** Returns the id of a relation, equal for all spellings of its parts. */
export function relationId(
  graph: string,
  subject: string,
  predicate: string,
  object: string,
): string {
  return idOf(
    'relation',
    graph,
    canonicalName(subject),
    normalizeName(predicate),
    canonicalName(object),
  );
}

/** Returns the id of a passage without an explicit id. Equal texts have equal ids. */
export function passageId(text: string): string {
  return idOf('passage', text);
}

/** Returns 32 hexadecimal digits. Hashes the length of each part too, so different lists never collide. */
function idOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex').slice(0, idLength);
}
