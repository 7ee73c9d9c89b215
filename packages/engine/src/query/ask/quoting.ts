import { languageOf } from '@trove/text/analyzer';
import { sentencesOf, tableHeaderLevel, type Sentence } from '@trove/text/sentences';
import type { ResultEnvelope } from '../../api/schemas.js';
import { CitationList, escapeMarks, toLine, type AskCitation } from './citations.js';
import type { CoveredWords, QuestionWords } from './question-words.js';

/** A group of sentences answers a question if it covers at least this share of its words. */
const minCoverage = 0.7;
/** The sentences alone, without title and path, cover at least this share. */
const minOwnCoverage = 0.34;
/** Maximum number of neighbouring sentences in a group. */
const maxGroupSentences = 3;
/** What each further sentence of a group must add. */
const sentenceCost = 0.04;
/** Maximum number of groups in an answer. */
const maxGroups = 3;
/** A further group has nearly the score of the best one. */
const maxScoreLoss = 0.1;
/** Weights of what ranks groups in addition to their coverage. */
const ownWeight = 0.2;
const relevanceWeight = 0.1;
const proseWeight = 0.1;
const maxQuoteChars = 500;

export interface VerifiedAnswer {
  readonly answer: string;
  readonly citations: readonly AskCitation[];
}

interface AnalyzedSentence extends Sentence {
  readonly passage: ResultEnvelope;
  /** Words of the question in the sentence. */
  readonly own: CoveredWords;
  /** Words of the question in the headings above, or in the question that the sentence answers. */
  readonly section: CoveredWords;
  /** Words of the question in the title and the path of the object. */
  readonly document: CoveredWords;
}

interface SentenceGroup {
  readonly sentences: readonly AnalyzedSentence[];
  readonly score: number;
  /** All statements of the neighbouring passages. */
  readonly statements: readonly AnalyzedSentence[];
}

/**
 * Answers a question with the sentences of passages that cover its words, each with a citation. Returns null if no
 * group of neighbouring sentences covers enough.
 */
export function quotePassages(
  words: QuestionWords,
  passages: readonly ResultEnvelope[],
): VerifiedAnswer | null {
  const groups = joinNeighbours(passages)
    .flatMap((neighbours) => findBestGroup(neighbours, words) ?? [])
    .sort((left, right) => right.score - left.score);
  const [best] = groups;
  if (best === undefined) return null;
  const chosen = groups
    .filter(({ score }) => score >= best.score - maxScoreLoss)
    .slice(0, maxGroups);
  const citations = new CitationList();
  const lines = new Map<string, string>();
  const ofSection = sectionOf(best, words);
  for (const group of chosen) {
    const quotedSentences =
      group === best && ofSection.length > 0 ? ofSection : quotedOf(group, words);
    for (const { passage, start, end } of quotedSentences) {
      const span = { start, end: cutEnd(passage.content, start, end) };
      const text = toLine(passage.content.slice(span.start, span.end));
      if (lines.has(text)) continue;
      const shown = escapeMarks(span.end < end ? `${text}…` : text);
      lines.set(text, `“${shown}” ${citations.add(passage, span)}`);
    }
  }
  return { answer: [...lines.values()].join('\n'), citations: citations.items };
}

/**
 * Returns the fewest sentences with all the words of the question that occur in the group, in their order. Without such
 * words, returns the first sentence below the heading.
 */
function quotedOf({ sentences }: SentenceGroup, words: QuestionWords): readonly AnalyzedSentence[] {
  const covered = new Set<number>();
  const chosen = new Set<AnalyzedSentence>();
  const byCoverage = [...sentences].sort((a, b) => words.share(b.own) - words.share(a.own));
  for (const sentence of byCoverage) {
    if ([...sentence.own].every((word) => covered.has(word))) continue;
    chosen.add(sentence);
    for (const word of sentence.own) covered.add(word);
  }
  return chosen.size > 0 ? sentences.filter((each) => chosen.has(each)) : sentences.slice(0, 1);
}

/** Returns the statements that follow below the same heading, if the headings alone cover the question. */
function sectionOf(
  { sentences: [first], statements }: SentenceGroup,
  words: QuestionWords,
): readonly AnalyzedSentence[] {
  if (first === undefined || words.share(first.section) < minCoverage) return [];
  const start = statements.indexOf(first);
  return statements
    .slice(start, start + maxGroupSentences)
    .filter(({ section }) => section === first.section);
}

/** Groups passages that follow each other in the same object. */
function joinNeighbours(passages: readonly ResultEnvelope[]): ResultEnvelope[][] {
  const groups: ResultEnvelope[][] = [];
  const placed = [...passages.entries()].sort(
    ([rankA, a], [rankB, b]) =>
      (a.source === b.source ? (firstLine(a) ?? 0) - (firstLine(b) ?? 0) : 0) || rankA - rankB,
  );
  for (const [, passage] of placed) {
    const group = groups.find((each) => isNext(each.at(-1), passage));
    if (group === undefined) groups.push([passage]);
    else group.push(passage);
  }
  return groups;
}

function isNext(previous: ResultEnvelope | undefined, next: ResultEnvelope): boolean {
  if (previous?.source !== next.source) return false;
  const [end, start] = [lastLine(previous), firstLine(next)];
  return end !== null && start !== null && start > end && start <= end + 2;
}

function firstLine({ locator }: ResultEnvelope): number | null {
  return lineAt(locator, 0);
}

function lastLine({ locator }: ResultEnvelope): number | null {
  return lineAt(locator, 1);
}

function lineAt(locator: ResultEnvelope['locator'], position: number): number | null {
  const lines = locator?.['lines'];
  const line: unknown = Array.isArray(lines) ? lines[position] : null;
  return typeof line === 'number' ? line : null;
}

/** Returns the group of neighbouring sentences that covers most, or null if none covers enough. */
function findBestGroup(
  passages: readonly ResultEnvelope[],
  words: QuestionWords,
): SentenceGroup | null {
  const statements = passages.flatMap((passage) => analyzeSentences(passage, words));
  let best: SentenceGroup | null = null;
  for (const start of statements.keys()) {
    for (let length = 1; length <= maxGroupSentences; length++) {
      const sentences = statements.slice(start, start + length);
      if (sentences.length < length || !isOneSection(sentences)) break;
      const own = union(sentences.map((each) => each.own));
      const local = union([own, ...sentences.map((each) => each.section)]);
      const all = union([local, ...sentences.map((each) => each.document)]);
      const coverage = words.share(all);
      if (coverage < minCoverage || words.share(local) < minOwnCoverage) continue;
      const score =
        coverage + ownWeight * words.share(own) + rankOf(sentences) - sentenceCost * (length - 1);
      if (best === null || score > best.score) best = { sentences, score, statements };
    }
  }
  return best;
}

/** Tests if no heading separates sentences. The headings of a following passage are unknown. */
function isOneSection(sentences: readonly AnalyzedSentence[]): boolean {
  return sentences.every(({ passage, section }, at) => {
    const previous = sentences[at - 1];
    return previous?.passage !== passage || previous.section === section;
  });
}

/** Prefers relevant passages, and prose to code. */
function rankOf([first]: readonly AnalyzedSentence[]): number {
  if (first === undefined) return 0;
  const { score, metadata } = first.passage;
  return relevanceWeight * (score ?? 0) + (isProse(metadata.media_type) ? proseWeight : 0);
}

/** Returns the statements of a passage. Headings and questions count for the statements below them. */
function analyzeSentences(passage: ResultEnvelope, words: QuestionWords): AnalyzedSentence[] {
  const { content, source, metadata } = passage;
  const language = languageOf(content);
  const document = words.in(`${metadata.title ?? ''}\n${nameOf(source)}`, language);
  const headings: { readonly level: number; readonly covered: CoveredWords }[] = [];
  let section: CoveredWords = new Set();
  return sentencesOf(content, isProse(metadata.media_type)).flatMap((sentence) => {
    const own = words.in(content.slice(sentence.start, sentence.end), language);
    const isAfterTable =
      headings.at(-1)?.level === tableHeaderLevel && content[sentence.start] !== '|';
    if (isAfterTable && headings.pop() !== undefined)
      section = union(headings.map(({ covered }) => covered));
    if (sentence.kind === 'heading') {
      while ((headings.at(-1)?.level ?? 0) >= sentence.level) headings.pop();
      headings.push({ level: sentence.level, covered: own });
      section = union(headings.map(({ covered }) => covered));
      return [];
    }
    if (sentence.kind === 'question') {
      section = union([own, ...headings.map(({ covered }) => covered)]);
      return [];
    }
    return [{ ...sentence, passage, own, section, document }];
  });
}

/** Wrapped lines are joined in prose only. */
function isProse(mediaType: string | null): boolean {
  return (
    mediaType === null ||
    /^text\/(?:plain|markdown|x-rst|html)|^application\/(?!json|x-)/u.test(mediaType)
  );
}

/** Returns the folder and the file of a source, without its type. */
function nameOf(source: string): string {
  const parts = source.split('/').slice(-2).join(' ');
  try {
    return decodeURIComponent(parts).replace(/\.\w+$/u, '');
  } catch {
    return parts;
  }
}

function union(sets: readonly CoveredWords[]): CoveredWords {
  return new Set(sets.flatMap((each) => [...each]));
}

/** Returns the end of a quote of limited length that cuts no character. */
function cutEnd(content: string, start: number, end: number): number {
  if (end - start <= maxQuoteChars) return end;
  const cut = content.slice(start, start + maxQuoteChars);
  const space = cut.search(/\s\S*$/u);
  return start + (space > 0 ? space : cut.replace(/[\uD800-\uDBFF]$/u, '').length);
}
