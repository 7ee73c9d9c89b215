import type { ResultEnvelope } from '@trove/client';
import type { JSX } from 'preact';
import { answerPlace, isMarked, toggleAnswer, useMarkedQuestions } from './marked-answers.js';

interface Props {
  readonly hit: ResultEnvelope;
  readonly question: string;
}

/** A button that marks a passage as the answer to the question, for `trove eval`. */
export function MarkAnswer({ hit, question }: Props): JSX.Element {
  const [questions, replace] = useMarkedQuestions();
  const place = answerPlace(hit);
  const asked = question.trim();
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isMarked(questions, asked, place)}
      onClick={() => replace(toggleAnswer(questions, asked, place))}
    >
      This is the answer
    </button>
  );
}
