import { wordsOf } from '@trove/text/names';
import type { CodeBlock, HeadingBlock, RowBlock } from '../markdown/blocks.js';
import type { FrontMatterField } from '../markdown/front-matter.js';
import type { InlineContent, Link } from '../markdown/inline.js';
import { isEntityName, isGeneric } from './entity-name.js';
import { parseSentences } from './statements.js';
import { topicOfHeading, topicOfSection } from './topics.js';
import type { TripletList } from './triplet-list.js';

/** A longer cell is a sentence. Its names and links are the objects of its facts. */
const maxCellWords = 8;
/** A longer first cell is a sentence, and names nothing. */
const maxSubjectWords = 6;
const importedModule =
  /(?:\bfrom\s+|\bimport\s+|\brequire\(\s*)["']([@\w][\w@/.-]{0,100})["']|^[ \t]*(?:from|import)[ \t]+([\w.]{2,100})/gmu;
const maxImports = 10;

/** Adds a relation from the enclosing topic to that of a heading. */
export function addHeading(heading: HeadingBlock, title: string, triplets: TripletList): void {
  const topic = topicOfHeading(heading.text.text);
  const enclosing = topicOfSection(heading.section, title);
  if (topic !== '') triplets.add(enclosing, 'has the section', topic);
}

/** Adds a relation from a topic to the target of each link. */
export function addLinks(links: readonly Link[], topic: string, triplets: TripletList): void {
  for (const link of links) {
    const name = nameOfLink(link);
    if (name !== '') triplets.add(topic, link.kind === 'image' ? 'shows' : 'links to', name);
  }
}

/** Adds the facts of a row about its first cell. The predicates are the names of the columns. */
export function addRow(
  { columns, cells: [first, ...others] }: RowBlock,
  topic: string,
  language: string | null,
  triplets: TripletList,
): void {
  const subject = first?.text.trim() ?? '';
  const kind = (columns[0] ?? '').replace(/^(?:the|a|an)\s+/iu, '');
  if (first === undefined) return;
  if (!isEntityName(subject) || wordsOf(subject).length > maxSubjectWords) {
    for (const { links } of [first, ...others]) addLinks(links, topic, triplets);
    return;
  }
  if (kind !== '') triplets.add(topic, `has the ${kind}`, subject);
  for (const [at, cell] of others.entries()) {
    const column = columns[at + 1] ?? '';
    const predicate = column === '' ? 'is' : column;
    for (const object of objectsOf(cell, language)) triplets.add(subject, predicate, object);
    addLinks(cell.links, subject, triplets);
  }
}

/** Adds the fields of front matter as facts about the topic. */
export function addFrontMatter(
  fields: readonly FrontMatterField[],
  topic: string,
  triplets: TripletList,
): void {
  for (const { name, values } of fields) {
    for (const value of values) {
      if (name !== 'title' && isEntityName(value)) triplets.add(topic, name, value);
    }
  }
}

/** Adds the modules that code imports. */
export function addCode({ code }: CodeBlock, topic: string, triplets: TripletList): void {
  let count = 0;
  for (const [, quoted, plain] of code.matchAll(importedModule)) {
    const name = quoted ?? plain ?? '';
    if (count++ >= maxImports) return;
    triplets.add(topic, 'uses the module', name);
  }
}

function objectsOf(cell: InlineContent, language: string | null): string[] {
  const text = cell.text.trim();
  if (wordsOf(text).length <= maxCellWords)
    return isEntityName(text) && !isGeneric(text) ? [text] : [];
  return parseSentences(cell, language).flatMap(({ words, names, text: all }) =>
    names
      .filter(({ from, to }) => from > 0 || to > 1)
      .map(({ from, to }) => all.slice(words[from]?.start, words[to - 1]?.end)),
  );
}

/** Returns the label of a link, or the name of its target if the label says nothing. */
function nameOfLink({ label, target }: Link): string {
  if (!isGeneric(label) && isEntityName(label)) return label;
  const [path = '', fragment = ''] = target.replace(/^[a-z][a-z+.-]*:\/*/iu, '').split('#', 2);
  const last =
    path
      .replace(/[?].*$/u, '')
      .replace(/\/+$/u, '')
      .split('/')
      .at(-1) ?? '';
  const name = decode(last === '' ? fragment : last)
    .replace(/\.(?:md|mdx|markdown|html?|rst|txt)$/iu, '')
    .replaceAll(/[-_+\s]+/gu, ' ')
    .trim();
  return !isGeneric(name) && isEntityName(name) ? name : '';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
