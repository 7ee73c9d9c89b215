import type { JSX } from 'preact';
import { ConfirmButton } from '../parts/confirm-button.js';
import { counted } from '../parts/numbers.js';
import { questionsFile } from './answers.js';
import { useMarkedQuestions } from './stored-marks.js';

const fileName = 'questions.jsonl';

/** Offers the marked questions as a file for `trove eval`. Shows nothing if there are none. */
export function MarkedQuestions(): JSX.Element | null {
  const [questions, replace] = useMarkedQuestions();
  if (questions.length === 0) return null;
  const href = `data:application/jsonl;charset=utf-8,${encodeURIComponent(questionsFile(questions))}`;
  return (
    <section class="marked" aria-label="Marked answers">
      <p>
        You have marked the answers to {counted(questions.length, 'question')}.{' '}
        <code>trove eval {fileName} --name marked</code> measures how often search finds them. This
        tab keeps the marks until you sign out or close it.
      </p>
      <p class="buttons">
        <a class="button" href={href} download={fileName}>
          Download {fileName}
        </a>
        <ConfirmButton
          label="Remove the marks"
          action="Remove"
          title="Remove the marks of all answers?"
          onConfirm={() => replace([])}
        >
          <p>The downloaded file stays.</p>
        </ConfirmButton>
      </p>
    </section>
  );
}
