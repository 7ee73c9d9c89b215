import type { JSX } from 'preact';
import { markWords } from './mark-words.js';

interface Props {
  readonly text: string;
  readonly words: readonly string[];
}

/** A text in which the words of a query are marked. */
export function MarkedText({ text, words }: Props): JSX.Element {
  return (
    <>
      {markWords(text, words).map(({ text: part, isMarked }, index) =>
        isMarked ? <mark key={index}>{part}</mark> : part,
      )}
    </>
  );
}
