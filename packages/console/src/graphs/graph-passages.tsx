import type { GraphPassage, GraphQueryResponse, GraphRelation } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { shownName, shownUri } from '../parts/names.js';
import { quotationsOf } from '../parts/citations.js';
import { GraphFact } from './graph-fact.js';
import { PassageLinks } from './passage-links.js';
import { PassageText } from './passage-text.js';
import { sourceOf, titleOf } from './passage-source.js';

interface Props {
  readonly answer: GraphQueryResponse;
  /** Shows the relations of a passage in the drawing. */
  readonly onPoint: (id: string) => void;
}

const foundBy = {
  lexical: 'its words',
  anchor: 'a name in the question',
  fact: 'a relation in it',
  bridge: 'an entity that another passage mentions, too',
  dense: 'its meaning',
};
const maxFacts = 5;

/** The passages of an answer with the relations that each states. */
export function GraphPassages({ answer, onPoint }: Props): JSX.Element | null {
  const { retrieved_passages: passages, subgraph } = answer;
  if (passages.length === 0) return null;
  return (
    <section aria-labelledby="passages-title">
      <h2 id="passages-title">Passages</h2>
      <ol class="graph-passages" id="passages">
        {passages.map((passage, index) => (
          <Passage
            key={passage.id}
            passage={passage}
            number={index + 1}
            quoted={quotationsOf(answer.answer, passage)}
            facts={subgraph.relations.filter(({ passage_ids: ids }) => ids.includes(passage.id))}
            onPoint={onPoint}
          />
        ))}
      </ol>
    </section>
  );
}

interface PassageProps {
  readonly passage: GraphPassage;
  readonly number: number;
  readonly quoted: readonly string[];
  readonly facts: readonly GraphRelation[];
  readonly onPoint: (id: string) => void;
}

function Passage({ passage, number, quoted, facts, onPoint }: PassageProps): JSX.Element {
  const isLong = passage.text.length > 600 || passage.text.split('\n').length > 10;
  const [isFolded, setIsFolded] = useState(isLong && quoted.length === 0);
  const source = sourceOf(passage);
  return (
    <li class="card" id={`passage-${number}`} tabIndex={-1}>
      <h3 dir="auto">
        {number}. {shownName(titleOf(passage))}
      </h3>
      <p class="hit-place soft">
        {source !== null && <bdi class="path">{shownUri(source)}</bdi>}
        <span>
          found by {foundBy[passage.via]}, {passage.score.toFixed(2)}
        </span>
      </p>
      <div class={isFolded ? 'folded' : undefined}>
        <PassageText passage={passage} quoted={quoted} />
      </div>
      {isLong && quoted.length === 0 && (
        <button
          type="button"
          class="small"
          aria-expanded={!isFolded}
          onClick={() => setIsFolded(!isFolded)}
        >
          {isFolded ? 'Show all' : 'Show less'}
        </button>
      )}
      {facts.length > 0 && (
        <ul class="facts-list" aria-label="Statements of the passage">
          {facts.slice(0, maxFacts).map((fact) => (
            <li key={fact.id} dir="auto">
              <GraphFact fact={fact} />
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        <PassageLinks passage={passage} />
        {facts.length > 0 && (
          <button type="button" class="small" onClick={() => onPoint(passage.id)}>
            Show in the drawing
          </button>
        )}
      </div>
    </li>
  );
}
