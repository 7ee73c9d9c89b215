import { functionWords, isInCapitals, isShouted, maxNameWords, wordsOf } from '@trove/text/names';

const maxChars = 120;
/** Options, variables, paths and other code. */
const codeStart = /^[-$/.~@#%\\]/u;
const codeCharacter = /[=<>{}`|\\;$]|:\/\/|\(\)|^\S*\/\S*\.\w+$|^[\p{Ll}\d._-]+\/[\p{Ll}\d._/-]+$/u;
const environmentVariable = /^[\p{Lu}\p{N}]+(?:_[\p{Lu}\p{N}]+)+$/u;
/** Headings and labels that name no topic of their own. */
const genericNames: ReadonlySet<string> = new Set([
  ...`example examples usage option options note notes overview introduction summary contents installation install
  parameter parameters arguments returns return value values api description feature features requirement requirements
  prerequisites license licence contributing changelog faq references troubleshooting here this there link page docs
  documentation readme more details previous next back top home warning caution tip important info type default name
  meaning none yes no true false null undefined optional required background authors about index click read source
  methods properties events fields settings setting limits tools counts results answer status tree message`.split(
    /\s+/u,
  ),
  'see also',
  'table of contents',
  'external links',
  'further reading',
  'next steps',
  'return value',
  'read more',
  'learn more',
  'more details',
  'getting started',
  'quick start',
  'this page',
  'the tree',
]);

/** Tests if a text can name an entity: a short phrase, but no option, path, value or word in capitals. */
export function isEntityName(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > maxChars || codeStart.test(trimmed) || codeCharacter.test(trimmed))
    return false;
  if (environmentVariable.test(trimmed) || isMeasure(trimmed)) return false;
  const words = wordsOf(trimmed).map(({ raw }) => raw);
  if (words.length === 0 || words.length > maxNameWords) return false;
  if (
    words.every((word) => functionWords.has(word.toLowerCase()) || !/\p{L}{2}|\p{Lo}/u.test(word))
  )
    return false;
  const noWords: ReadonlySet<string> = new Set();
  if (words.some((word) => isShouted(word, noWords)))
    return words.some((word) => !isInCapitals(word) && /\p{Lu}/u.test(word));
  return true;
}

/** Tests if a text is a number, a unit or a measured value, such as `350 MB`. */
export function isMeasure(text: string): boolean {
  return /^(?:[\p{N}<>~≈≤≥.,:%+-]+\s*)?(?:[kKMGT]i?B|[munμ]?s|min|h|Hz|kHz|MHz|GHz|px|chars?|UTC|CPU)?$/u.test(
    text,
  );
}

/** Tests if a heading or a label says nothing about its topic. */
export function isGeneric(text: string): boolean {
  const folded = text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} /]/gu, '')
    .trim();
  return folded === '' || genericNames.has(folded);
}
