import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { graphHref, type GraphQuestion } from './graph-request.js';

interface Props {
  readonly question: GraphQuestion;
  /** Whether a language model can rank passages. */
  readonly hasModel: boolean;
  readonly isAsking: boolean;
  readonly onAsk: (question: GraphQuestion) => void;
  readonly onStop: () => void;
}

/** Asks for a question and its options. */
export function GraphForm({ question, hasModel, isAsking, onAsk, onStop }: Props): JSX.Element {
  const [draft, setDraft] = useState(question);
  const box = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (question.question === '') box.current?.focus();
  }, []);
  useEffect(() => setDraft(question), [graphHref(question)]);
  const change = (part: Partial<GraphQuestion>): void => setDraft({ ...draft, ...part });
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = draft.question.trim();
    if (text !== '') onAsk({ ...draft, question: text });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  const hasOptions = [question.passages, question.hops, question.filter].some(Boolean);
  return (
    <form class="graph-form" ref={form} onSubmit={submit}>
      <label for="question">Question</label>
      <div class="ask">
        <textarea
          id="question"
          ref={box}
          rows={2}
          maxLength={10_000}
          required
          value={draft.question}
          onInput={(event) => change({ question: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="primary">
          Ask
        </button>
      </div>
      <p class="soft" role="status">
        {isAsking && (
          <>
            Looking for the answer …{' '}
            <button type="button" class="small" onClick={onStop}>
              Stop
            </button>
          </>
        )}
      </p>
      <details class="graph-options" open={hasOptions}>
        <summary>Options</summary>
        <label>
          Passages to read{' '}
          <input
            type="number"
            min={1}
            max={50}
            placeholder="5"
            value={draft.passages}
            onInput={(event) => change({ passages: event.currentTarget.value })}
          />
        </label>
        <label>
          Steps to related entities{' '}
          <input
            type="number"
            min={0}
            max={4}
            placeholder="1"
            value={draft.hops}
            onInput={(event) => change({ hops: event.currentTarget.value })}
          />
        </label>
        <label>
          Only documents with{' '}
          <input
            maxLength={10_000}
            placeholder="year &gt;= 2020"
            value={draft.filter}
            onInput={(event) => change({ filter: event.currentTarget.value })}
          />
        </label>
        {hasModel && (
          <label>
            <input
              type="checkbox"
              checked={draft.ranks}
              onChange={(event) => change({ ranks: event.currentTarget.checked })}
            />{' '}
            Let the language model choose the passages
          </label>
        )}
      </details>
    </form>
  );
}
