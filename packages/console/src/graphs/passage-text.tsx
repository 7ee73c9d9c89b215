import type { JSX } from 'preact';
import { QuotedText } from '../parts/marked-text.js';
import { Markdown } from '../read/markdown.js';
import { isMarkdown } from '../read/media.js';
import { sourceOf, type SourcedPassage } from './passage-source.js';

interface Props {
  readonly passage: SourcedPassage;
  /** The sentences to mark. */
  readonly quoted: readonly string[];
}

const nowhere = (): null => null;

/** The text of a passage. Links in Markdown have no base, so only those to web pages work. */
export function PassageText({ passage, quoted }: Props): JSX.Element {
  const { text } = passage;
  return (
    <blockquote class="passage-quote">
      {isMarkdown(null, sourceOf(passage) ?? '') ? (
        <Markdown text={text} from={1} lines={null} linkTo={nowhere} quoted={quoted} />
      ) : (
        <p class="passage-text" dir="auto">
          <QuotedText text={text} quoted={quoted} />
        </p>
      )}
    </blockquote>
  );
}
