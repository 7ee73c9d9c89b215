import { namesLanguage } from '@trove/text/names';
import { readMarkdown, type Block, type TextBlock } from '../markdown/blocks.js';
import { addAcronyms } from './acronyms.js';
import { isEntityName, isGeneric } from './entity-name.js';
import { addStatements, KnownWords, parseSentences, type ParsedSentence } from './statements.js';
import { addCode, addFrontMatter, addHeading, addLinks, addRow } from './structure.js';
import { topicOfHeading, topicOfSection, topicOfTitle } from './topics.js';
import { TripletList, type ExtractedTriplet } from './triplet-list.js';

/** Maximum length of the analysed text, in characters. */
const maxTextChars = 20_000;
const thirdPerson = /^(?:he|she|they|his|her|their)\b/iu;

/**
 * Extracts the statements of a Markdown or plain text without a language model: of sentences, headings, links, rows of
 * tables, front matter and imports.
 */
export function extractTriplets(text: string, title: string | null): ExtractedTriplet[] {
  const read = text.slice(0, maxTextChars);
  const language = namesLanguage(read);
  const { frontMatter, blocks } = readMarkdown(read);
  const stated = frontMatter.find(({ name }) => name.toLowerCase() === 'title')?.values[0];
  const topic = topicOfTitle(title ?? stated ?? firstHeadingOf(blocks));
  const sentences = new Map(
    blocks.flatMap((block) =>
      block.kind === 'text' ? [[block, parseSentences(block.text, language)]] : [],
    ),
  );
  const known = new KnownWords([...sentences.values()].flat(), topic);
  const triplets = new TripletList();
  addFrontMatter(frontMatter, topic, triplets);
  for (const block of blocks) {
    if (triplets.isFull) break;
    if (block.kind === 'text')
      addTextBlock(block, sentences.get(block) ?? [], topic, known, triplets);
    else addStructure(block, topic, language, triplets);
  }
  return triplets.items;
}

function firstHeadingOf(blocks: readonly Block[]): string | null {
  const heading = blocks.find(({ kind }) => kind === 'heading');
  return heading?.kind === 'heading' ? topicOfHeading(heading.text.text) : null;
}

function addStructure(
  block: Exclude<Block, TextBlock>,
  title: string,
  language: string | null,
  triplets: TripletList,
): void {
  const topic = topicOfSection(block.section, title);
  if (block.kind === 'row') addRow(block, topic, language, triplets);
  else if (block.kind === 'code') addCode(block, topic, triplets);
  else addHeading(block, title, triplets);
}

/** Adds the statements and links of a paragraph. An emphasised term at its start is its topic. */
function addTextBlock(
  { text, section }: TextBlock,
  sentences: readonly ParsedSentence[],
  title: string,
  known: KnownWords,
  triplets: TripletList,
): void {
  const enclosing = topicOfSection(section, title);
  const term = text.lead.replace(/[\s:.…]+$/u, '');
  const hasTerm = term !== '' && isEntityName(term) && !isGeneric(term);
  if (hasTerm) triplets.add(enclosing, 'mentions', term);
  const topic = hasTerm ? term : enclosing;
  for (const sentence of sentences) {
    const start = sentence.words[0]?.start ?? 0;
    const isOfTitle = thirdPerson.test(sentence.text.slice(start, start + 8));
    addStatements(sentence, isOfTitle && !hasTerm ? title : topic, known, triplets);
  }
  addAcronyms(text.text, triplets);
  addLinks(text.links, topic, triplets);
}
