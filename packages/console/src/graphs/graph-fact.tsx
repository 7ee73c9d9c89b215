import type { GraphRelation } from '@trove/client';
import type { JSX } from 'preact';

/** A relation as a sentence. */
export function GraphFact({ fact }: { readonly fact: GraphRelation }): JSX.Element {
  return (
    <>
      {fact.subject} <em>{fact.predicate}</em> {fact.object}
    </>
  );
}
