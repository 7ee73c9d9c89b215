import { functionWords } from '@trove/text/names';
import { isEntityName, isGeneric } from './entity-name.js';

const maxTitleChars = 200;
const articles: ReadonlySet<string> = new Set(['the', 'a', 'an']);
const parenthesis = /\s*[(（][^()（）]*[)）]\s*$/u;
const numbering = /^(?:\d+(?:\.\d+)*[.)]?|[a-z]\))\s+/iu;

/** Returns the topic that a title names, without Markdown marks and its parenthesis. */
export function topicOfTitle(title: string | null): string {
  const text = (title ?? '').slice(0, maxTitleChars).replace(/^#{1,6}\s+/u, '');
  return text.replace(parenthesis, '').trim();
}

/** Returns the topic that a heading names, or '' for headings such as “Examples” and “When it fails”. */
export function topicOfHeading(heading: string): string {
  if (heading.length > maxTitleChars) return '';
  const text = heading
    .replace(numbering, '')
    .replace(/[\s:.…?!]+$/u, '')
    .trim();
  const [first = ''] = text.toLowerCase().split(/\s/u, 1);
  const isClause = functionWords.has(first) && !articles.has(first);
  return isClause || isGeneric(text) || !isEntityName(text) ? '' : text;
}

/** Returns the topic of the innermost heading that names one, else the topic of the title. */
export function topicOfSection(section: readonly string[], title: string): string {
  const named = section.map(topicOfHeading).findLast((topic) => topic !== '');
  return named ?? title;
}
