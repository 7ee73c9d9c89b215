import type { GraphQueryResponse } from '@trove/client';
import type { JSX } from 'preact';
import { shownNumber } from '../parts/numbers.js';
import { citedParts } from '../parts/citations.js';

/** An answer. Its citations lead to the passages below. */
export function GraphAnswer({ answer }: { readonly answer: GraphQueryResponse }): JSX.Element {
  const { answer: text, retrieved_passages: passages, stats } = answer;
  return (
    <section class="card" aria-labelledby="answer-title">
      <h2 id="answer-title">Answer</h2>
      <p class="answer-text" id="answer-text" dir="auto" role="status">
        {citedParts(text, passages).map((part, index) =>
          typeof part === 'string' ? part : <Citation key={index} passage={part} />,
        )}
      </p>
      <p class="soft">
        {shownNumber(stats.num_passages_retrieved)} passages read in {stats.total_time_ms} ms
      </p>
    </section>
  );
}

function Citation({ passage }: { readonly passage: number }): JSX.Element {
  const show = (): void => {
    const target = document.querySelector<HTMLElement>(`#passage-${passage + 1}`);
    target?.scrollIntoView({ block: 'nearest' });
    target?.focus();
  };
  return (
    <button type="button" class="cite" aria-label={`Passage ${passage + 1}`} onClick={show}>
      {passage + 1}
    </button>
  );
}
