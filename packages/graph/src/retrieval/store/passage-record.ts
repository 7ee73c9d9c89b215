/**
 * The index entry of a passage, as 32-bit words: a head, its terms, its entities and its relations. They keep the order
 * of the passage, so sums do not depend on the history of the index.
 */
export const sentenceBitCount = 27;
/**
 * Masks the sentences that contain a term or an entity. Each sentence has a bit, or each group of sentences in a long
 * passage.
 */
export const sentenceMask = 2 ** sentenceBitCount - 1;
const lowerFlag = 1 << 27;
const endFlag = 1 << 27;
const titleFlag = 1 << 28;
const titleTfShift = 28;
export const maxTitleTf = 15;
/** Numbers of terms and passages have 24 bits; counts in a passage have 8. */
export const countBits = 8;
export const maxCount = 255;

const headLength = 5;
const termCountIndex = 1;
const entityCountIndex = 2;
const lengthIndex = 3;
const flagsIndex = 4;
const rulesFlag = 1;
const partFlag = 2;
const wordsPerTerm = 2;
const wordsPerEntity = 2;
const relationHeadLength = 4;

export interface TermInPassage {
  readonly term: number;
  /** Occurrences in title and text, up to 255. */
  readonly count: number;
  /** Occurrences in the title, up to 15. */
  readonly titleCount: number;
  /** True if the text contains the term as a word in lower case. */
  readonly isLower: boolean;
  readonly sentences: number;
}

export interface EntityInPassage {
  readonly entity: number;
  readonly sentences: number;
  /** True if the entity is an end of a relation of the passage. */
  readonly isEnd: boolean;
  readonly isTitle: boolean;
}

export interface RelationParts {
  /** Numbers of spellings. */
  readonly subject: number;
  readonly object: number;
  readonly predicate: number;
}

export interface RelationInPassage extends RelationParts {
  /** Its terms, each as `term << 8 | count`. */
  readonly terms: ArrayLike<number>;
}

export interface PassageContents {
  readonly terms: readonly TermInPassage[];
  readonly entities: readonly EntityInPassage[];
  readonly relations: readonly RelationInPassage[];
  /** Number of terms. Terms of the title count three times. */
  readonly length: number;
  /** True if rules made its relations. */
  readonly byRules: boolean;
  /** True for a part of a document. */
  readonly isPart: boolean;
}

/** Encodes a passage. The first word is the length of the record. */
export function encode(contents: PassageContents): Uint32Array {
  const { terms, entities, relations, length, byRules, isPart } = contents;
  const relationWords = relations.reduce(
    (sum, each) => sum + relationHeadLength + each.terms.length,
    0,
  );
  const record = new Uint32Array(
    headLength + terms.length * wordsPerTerm + entities.length * wordsPerEntity + relationWords,
  );
  const flags = (byRules ? rulesFlag : 0) | (isPart ? partFlag : 0);
  record.set([record.length, terms.length, entities.length, length, flags]);
  let at = headLength;
  for (const { term, count, titleCount, isLower, sentences } of terms) {
    record[at++] = pack(term, count);
    record[at++] = (titleCount << titleTfShift) | (isLower ? lowerFlag : 0) | sentences;
  }
  for (const { entity, sentences, isEnd, isTitle } of entities) {
    record[at++] = entity;
    record[at++] = (isTitle ? titleFlag : 0) | (isEnd ? endFlag : 0) | sentences;
  }
  for (const { subject, predicate, object, terms: ofRelation } of relations) {
    record.set([subject, predicate, object, ofRelation.length], at);
    record.set(Array.from(ofRelation), at + relationHeadLength);
    at += relationHeadLength + ofRelation.length;
  }
  return record;
}

/** Decodes a record. */
export function decode(record: Uint32Array): PassageContents {
  return {
    terms: [...termsOf(record)],
    entities: [...entitiesOf(record)],
    relations: relationsOf(record),
    length: lengthOf(record),
    byRules: isByRules(record),
    isPart: isDocumentPart(record),
  };
}

/** Packs a number and a count into one word. */
export function pack(number: number, count: number): number {
  return number * 2 ** countBits + Math.min(count, maxCount);
}

export function lengthOf(record: Uint32Array): number {
  return record[lengthIndex] ?? 0;
}

export function isByRules(record: Uint32Array): boolean {
  return ((record[flagsIndex] ?? 0) & rulesFlag) !== 0;
}

/** Tests if a passage is a part of a document. */
export function isDocumentPart(record: Uint32Array): boolean {
  return ((record[flagsIndex] ?? 0) & partFlag) !== 0;
}

function* termsOf(record: Uint32Array): Generator<TermInPassage> {
  const end = entitiesStart(record);
  for (let at = headLength; at < end; at += wordsPerTerm) {
    const packed = record[at] ?? 0;
    const details = record[at + 1] ?? 0;
    yield {
      term: packed >>> countBits,
      count: packed & maxCount,
      titleCount: details >>> titleTfShift,
      isLower: (details & lowerFlag) !== 0,
      sentences: details & sentenceMask,
    };
  }
}

/** Visits the terms without creating objects, because a question visits thousands. */
export function visitTerms(
  record: Uint32Array,
  visit: (term: number, count: number, titleCount: number, sentences: number) => void,
): void {
  const end = entitiesStart(record);
  for (let at = headLength; at < end; at += wordsPerTerm) {
    const packed = record[at] ?? 0;
    const details = record[at + 1] ?? 0;
    visit(
      packed >>> countBits,
      packed & maxCount,
      details >>> titleTfShift,
      details & sentenceMask,
    );
  }
}

/** Visits the relations of a passage with their position and the range of their terms. */
export function visitRelations(
  record: Uint32Array,
  visit: (at: number, termsFrom: number, termsTo: number) => void,
): void {
  visitSomeRelations(record, null, Infinity, visit);
}

/** Visits up to `limit` relations of a passage. Returns the `start` for the next call; null after the last relation. */
export function visitSomeRelations(
  record: Uint32Array,
  start: number | null,
  limit: number,
  visit: (at: number, termsFrom: number, termsTo: number) => void,
): number | null {
  let at = start ?? relationsStart(record);
  for (let visited = 0; visited < limit && at < record.length; visited++) {
    const from = at + relationHeadLength;
    const to = from + (record[at + 3] ?? 0);
    visit(at, from, to);
    at = to;
  }
  return at < record.length ? at : null;
}

export function relationAt(record: Uint32Array, at: number): RelationParts {
  return { subject: record[at] ?? 0, predicate: record[at + 1] ?? 0, object: record[at + 2] ?? 0 };
}

/** Tests if an entity is an end of a relation of the passage. */
export function isRelationEnd(record: Uint32Array, entity: number): boolean {
  const end = relationsStart(record);
  for (let at = entitiesStart(record); at < end; at += wordsPerEntity) {
    if (record[at] === entity) return ((record[at + 1] ?? 0) & endFlag) !== 0;
  }
  return false;
}

export function* entitiesOf(record: Uint32Array): Generator<EntityInPassage> {
  const start = entitiesStart(record);
  const end = relationsStart(record);
  for (let at = start; at < end; at += wordsPerEntity) {
    const details = record[at + 1] ?? 0;
    yield {
      entity: record[at] ?? 0,
      sentences: details & sentenceMask,
      isEnd: (details & endFlag) !== 0,
      isTitle: (details & titleFlag) !== 0,
    };
  }
}

export function relationsOf(record: Uint32Array): RelationInPassage[] {
  const relations: RelationInPassage[] = [];
  visitRelations(record, (at, from, to) => {
    relations.push({ ...relationAt(record, at), terms: record.subarray(from, to) });
  });
  return relations;
}

function entitiesStart(record: Uint32Array): number {
  return headLength + (record[termCountIndex] ?? 0) * wordsPerTerm;
}

function relationsStart(record: Uint32Array): number {
  return entitiesStart(record) + (record[entityCountIndex] ?? 0) * wordsPerEntity;
}
