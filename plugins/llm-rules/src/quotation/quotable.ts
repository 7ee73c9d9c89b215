import { languageOf } from '@trove/text/analyzer';
import type { TaskPassage } from '@trove/core/model';
import { sentencesOf, tableHeaderLevel, type Sentence } from '@trove/text/sentences';
import type { CoveredTerms, QuestionTerms, SharedTerms } from './question-terms.js';

/** Lines of programs and settings, which contain braces and assignments. */
const codeLine = /^[\s})\]]|[{};]\s*$|^[\w.]+\s*=\s|^import\s|=>|^[|+-]\s*$/u;

/** A line of tags or comments of HTML, or an entry of a table of contents. */
const withoutStatement = /^\s*(?:<[^<>]*>\s*)+$|^(?:[-*+]\s+)?\[[^[\]]*\]\(#[^()]*\)$/u;
/** A remark about the sentence before it, in descriptions of options. */
const remark = /^\(?(?:defaults?|required|optional|deprecated)\b.{0,60}$/iu;

/** A sentence, row or line of a passage that may be quoted. */
export interface QuotableSentence {
  /** Rank of its passage, from 0. */
  readonly rank: number;
  readonly text: string;
  readonly own: SharedTerms;
  /** The question's words in the headings above it, or in the question that it answers. */
  readonly section: CoveredTerms;
  /** The question's words in the title of its passage. */
  readonly title: CoveredTerms;
  /** The question's words in the sentence before it. */
  readonly previous: CoveredTerms;
  /** True for the first sentence under a heading or question. */
  readonly isFirst: boolean;
  readonly isCode: boolean;
}

const nothing: CoveredTerms = new Map();

/** Returns the quotable sentences of a passage. Headings and questions count for the sentences below them. */
export function quotableSentences(
  { title, text }: TaskPassage,
  rank: number,
  terms: QuestionTerms,
): QuotableSentence[] {
  const language = languageOf(text);
  const ofTitle = terms.sharedWith(title ?? '', language).covered;
  const headings: { readonly level: number; readonly covered: CoveredTerms }[] = [];
  const quotable: QuotableSentence[] = [];
  let question = nothing;
  let previous = nothing;
  let isFirst = true;
  for (const { start, end, kind, level } of joinRemarks(sentencesOf(text, true), text)) {
    const sentence = text.slice(start, end);
    if (withoutStatement.test(sentence)) continue;
    const own = terms.sharedWith(sentence, language);
    if (headings.at(-1)?.level === tableHeaderLevel && !sentence.startsWith('|')) headings.pop();
    if (kind === 'statement') {
      const section = union([question, ...headings.map(({ covered }) => covered)]);
      const isCode = codeLine.test(sentence);
      const at = { rank, text: sentence, own, section, title: ofTitle, previous, isFirst, isCode };
      quotable.push(at);
      previous = own.covered;
      isFirst = false;
      continue;
    }
    if (kind === 'heading') {
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, covered: own.covered });
    }
    question = kind === 'question' ? own.covered : nothing;
    previous = nothing;
    isFirst = true;
  }
  return quotable;
}

/** Joins short sentences such as “Default: 5” with the one before them in the same block. */
function joinRemarks(sentences: readonly Sentence[], text: string): Sentence[] {
  const joined: Sentence[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    const isRemark =
      last?.kind === 'statement' &&
      sentence.kind === 'statement' &&
      remark.test(text.slice(sentence.start, sentence.end)) &&
      /^[ \t]*$/u.test(text.slice(last.end, sentence.start));
    if (isRemark) joined[joined.length - 1] = { ...last, end: sentence.end };
    else joined.push(sentence);
  }
  return joined;
}

/** Joins what several texts cover. The largest share of each word counts. */
export function union(covered: readonly CoveredTerms[]): CoveredTerms {
  const all = new Map<number, number>();
  for (const each of covered) {
    for (const [at, share] of each) all.set(at, Math.max(share, all.get(at) ?? 0));
  }
  return all;
}
