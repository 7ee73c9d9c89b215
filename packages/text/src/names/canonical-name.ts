import { functionWords } from './function-words.js';
import { normalizeName } from './normalize-name.js';

const articles = setOf('the a an');
/** Articles of other languages. Without a legal form, they may be words of another language: Die Hard, La Paz. */
const foreignArticles = setOf('der die das den dem des le la les el los las il lo gli i de het l');
const addresses = setOf(
  'dr doctor prof professor mr mrs ms mx miss herr frau monsieur madame mme mlle señor señora señorita sra ' +
    'доктор профессор господин госпожа',
);
/** Words between titles: `Prof. Dr. med. Ada Lovelace`. */
const degrees = setOf('med phil rer nat ing h c hc jur habil dipl');
const trailingDegrees = setOf('phd esq md msc bsc');
const legalForms = setOf(
  'ag gmbh mbh kg kgaa ohg ug se ev inc incorporated ltd limited llc llp plc corp co sa sas sarl sasu sl srl spa nv bv ' +
    'ab asa oy oyj aps pty ооо оао зао пао ао 주식회사',
);
/** Legal forms with full stops, which normalisation separates. */
const spelledForms = [
  'e v',
  's a',
  's l',
  's r l',
  's p a',
  'n v',
  'b v',
  'l l c',
  'a s',
  'a g',
].map((form) => form.split(' '));
const mayBeUnspaced = /[\u1100-\uffff]/u;
const unspacedForms = [
  '股份有限公司',
  '有限责任公司',
  '有限公司',
  '株式会社',
  '有限会社',
  '合同会社',
  '(주)',
  '㈜',
];
const unspacedTitles =
  /(?<=[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{2})(?:先生|女士|博士|教授|さん|氏|박사|교수|씨)$/u;

/**
 * Returns the form of a name that is equal for the name with and without titles, an article and legal forms: `Die
 * Seewind AG` and `Seewind`, `Dr. Samuel Okoro` and `Samuel Okoro`. Otherwise the same as `normalizeName`.
 */
export function canonicalName(name: string): string {
  const normalized = normalizeName(mayBeUnspaced.test(name) ? withoutUnspacedForms(name) : name);
  const words = normalized.split(' ');
  const end = endWithoutForms(words);
  let start = 0;
  if (articles.has(words[0] ?? '')) start = 1;
  else if (end < words.length && foreignArticles.has(words[0] ?? '')) start = 1;
  start = startWithoutTitles(words, start);
  const rest = words.slice(start, end);
  return rest.every((word) => functionWords.has(word)) ? normalized : rest.join(' ');
}

function startWithoutTitles(words: readonly string[], from: number): number {
  let at = from;
  while (addresses.has(words[at] ?? '') || (at > from && degrees.has(words[at] ?? ''))) at++;
  const form = words[at] ?? '';
  return legalForms.has(form) && /^(?:\p{Script=Cyrillic}+|주식회사)$/u.test(form) ? at + 1 : at;
}

function endWithoutForms(words: readonly string[]): number {
  let end = words.length;
  for (;;) {
    const last = words[end - 1] ?? '';
    if (end > 1 && (legalForms.has(last) || trailingDegrees.has(last))) {
      end -= 1;
      continue;
    }
    const spelled =
      last.length === 1 ? spelledForms.find((form) => endsWith(words, end, form)) : undefined;
    if (spelled === undefined) return end;
    end -= spelled.length;
  }
}

/** Tests if the words before `end` are a form, with further words before it. */
function endsWith(words: readonly string[], end: number, form: readonly string[]): boolean {
  return end > form.length && form.every((letter, at) => words[end - form.length + at] === letter);
}

/** Removes legal forms and titles of scripts without spaces. */
function withoutUnspacedForms(name: string): string {
  const trimmed = name.trim();
  for (const form of unspacedForms) {
    if (trimmed.length <= form.length) continue;
    if (trimmed.startsWith(form)) return trimmed.slice(form.length);
    if (trimmed.endsWith(form)) return trimmed.slice(0, -form.length);
  }
  return trimmed.slice(0, 512).replace(unspacedTitles, '');
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
