import type { ResultEnvelope } from '@trove/client';
import type { JSX } from 'preact';
import { answerPlace, isMarked, toggleAnswer } from './answers.js';
import { useMarkedQuestions } from './stored-marks.js';

interface Props {
  readonly hit: ResultEnvelope;
  readonly question: string;
}

/** A button that marks a passage as the answer to the question, for `trove eval`. None for a passage without a text. */
export function MarkAnswer({ hit, question }: Props): JSX.Element | null {
  const [questions, replace] = useMarkedQuestions();
  const place = answerPlace(hit);
  const asked = question.trim();
  if (place.text === '') return null;
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
