import { countBits, maxCount, pack, type PassageContents } from './passage-record.js';
import type { Vocabulary } from './vocabulary.js';

/** Creates a function that moves passages from one vocabulary to another. Looks up each number once. */
export function createRenumbering(
  from: Vocabulary,
  to: Vocabulary,
): (contents: PassageContents) => PassageContents {
  const term = memoize((each) => to.terms.intern(from.terms.text(each)));
  const entity = memoize((each) => to.entity(from.entities.text(each)));
  const predicate = memoize((each) => to.predicate(from.predicates.text(each)));
  const spelling = memoize((each) => to.internSpelling(from.spellings.text(each)) ?? 0);
  return (contents) => ({
    ...contents,
    terms: contents.terms.map((each) => ({ ...each, term: term(each.term) })),
    entities: contents.entities.map((each) => ({ ...each, entity: entity(each.entity) })),
    relations: contents.relations.map((each) => ({
      subject: spelling(each.subject),
      predicate: predicate(each.predicate),
      object: spelling(each.object),
      terms: Array.from(each.terms, (packed) =>
        pack(term(packed >>> countBits), packed & maxCount),
      ),
    })),
  });
}

function memoize(numberOf: (old: number) => number): (old: number) => number {
  const numbers = new Map<number, number>();
  return (old) => {
    const known = numbers.get(old);
    if (known !== undefined) return known;
    const number = numberOf(old);
    numbers.set(old, number);
    return number;
  };
}
