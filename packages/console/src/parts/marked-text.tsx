import type { JSX } from 'preact';
import { markQuotations } from './citations.js';
import { markWords, type MarkedPart } from './mark-words.js';

interface Props {
  readonly text: string;
  readonly words: readonly string[];
}

/** A text in which the words of a query are marked. */
export function MarkedText({ text, words }: Props): JSX.Element {
  return <MarkedParts parts={markWords(text, words)} />;
}

interface QuotedProps {
  readonly text: string;
  readonly quoted: readonly string[];
}

/** A text in which quoted sentences are marked. */
export function QuotedText({ text, quoted }: QuotedProps): JSX.Element {
  return <MarkedParts parts={markQuotations(text, quoted)} />;
}

function MarkedParts({ parts }: { readonly parts: readonly MarkedPart[] }): JSX.Element {
  return (
    <>
      {parts.map(({ text, isMarked }, index) =>
        isMarked ? <mark key={index}>{text}</mark> : text,
      )}
    </>
  );
}
