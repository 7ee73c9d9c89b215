import { questionWords, stopWords, wordSet } from './stop-words.js';

/*
 * Finds names of code in a query such as `where is parseHeader defined`. A word with the shape of a name always counts.
 * Any other word counts only next to a word that asks for a definition.
 */

/** Words that ask for the definition of the adjacent word. */
const definitionWords = wordSet(`
  def define defines defined defining definition definitions declare declares declared declaration declarations
  implement implements implemented implementing implementation implementations func fn
`);
/** The same, but only in a question for a single name. In other queries, the adjacent words are often not names. */
const kindWords = wordSet(`
  fun function functions method methods class classes struct structs interface interfaces trait enum macro constant constructor
  decorator signature
`);
/** The same, but only for names that begin with a capital. */
const typeWords = wordSet('type types object module field variable var const work works working');
/** Words that phrase such a question. */
const phraseWords = wordSet(`
  where what which how does do did is are was the a an in of for to me my show find see get locate located location live lives
  look lookup named file code source explain about this it return returns mean means please can i you tell there and
`);
/** Words that ask for something else than a definition. */
const usageWords = wordSet(`
  use uses used using usage usages user users call calls called caller callers calling reference references referenced example
  examples import imports imported invoke invoked test tests tested testing spec fixture commit commits who when why
`);
/** Words between a name and the word that asks for its definition. */
const linkWords = wordSet('of the a an is are');

const callPattern = /([\p{L}_$][\p{L}\p{N}_$.:#]{0,100})\([^()]{0,200}\)/gu;
const punctuation = /^["'`“”‘’«»([{<]+|["'`“”‘’«»)\]}>,;:.?!]+$/gu;
const camelCase = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}(?!$)/u;
const snakeCase = /^[\p{L}\p{N}_$]*(?:[\p{L}\p{N}]_|_[\p{L}\p{N}])[\p{L}\p{N}_$]*$/u;
const qualifiedName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]+)+$/u;
/** Names of files and hosts. */
const fileOrHost =
  /\.(?:com|org|net|io|dev|app|ai|edu|gov|js|ts|py|go|rs|rb|md|json|ya?ml|toml|html?|css|txt|pdf|docx?|xlsx?)$/iu;
const prefixedName = /^[$@][\p{L}_][\p{L}\p{N}_]+$/u;
const identifier = /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u;
const capitalised = /^\p{Lu}/u;
/** Longer texts are not questions for a name. */
const maxTokens = 40;

interface QueryToken {
  readonly text: string;
  readonly word: string;
  readonly looksLikeName: boolean;
}

/** Returns the names in a query of several words, as written. */
export function findNames(query: string): string[] {
  const tokens = tokensOf(query);
  if (tokens.length > maxTokens || tokens.some(({ word }) => usageWords.has(word))) return [];
  return tokens
    .filter((token, at) => token.looksLikeName || isBesideDefinitionWord(tokens, at))
    .map(textOf);
}

/**
 * Returns the name that a query asks the definition of, such as `definition of parse_header`. Null for queries that ask
 * for something else.
 */
export function findDefinitionName(query: string): string | null {
  const tokens = tokensOf(query);
  if (tokens.length < 2 || tokens.length > maxTokens) return null;
  const names = tokens.filter(({ looksLikeName }) => looksLikeName);
  const otherWords = tokens.filter(
    ({ looksLikeName, word }) => !looksLikeName && !isQuestionWord(word),
  );
  if (tokens.some(({ word, looksLikeName }) => !looksLikeName && usageWords.has(word))) return null;
  if (names.length > 0)
    return names.length === 1 && otherWords.length === 0 ? textOf(names[0]) : null;
  const [otherWord] = otherWords;
  if (otherWord === undefined || otherWords.length > 1 || !identifier.test(otherWord.text))
    return null;
  const isCapitalised = capitalised.test(otherWord.text);
  const isNamed = ({ word }: QueryToken): boolean =>
    definitionWords.has(word) || kindWords.has(word) || (isCapitalised && typeWords.has(word));
  return tokens.some(isNamed) ? otherWord.text : null;
}

function textOf(token: QueryToken | undefined): string {
  return token?.text ?? '';
}

function isQuestionWord(word: string): boolean {
  return (
    definitionWords.has(word) || kindWords.has(word) || typeWords.has(word) || phraseWords.has(word)
  );
}

function tokensOf(query: string): QueryToken[] {
  const tokens = query.replaceAll(callPattern, '$1()').split(/\s+/, maxTokens + 1);
  return tokens.flatMap((token) => {
    const isCalled = /[\p{L}\p{N}_$]\(\)\W*$/u.test(token);
    const text = token.replaceAll(punctuation, '').replace(/\(\)?$/, '');
    if (text === '') return [];
    return [{ text, word: text.toLowerCase(), looksLikeName: isCalled || hasNameShape(text) }];
  });
}

function hasNameShape(text: string): boolean {
  if (qualifiedName.test(text)) return !fileOrHost.test(text);
  if (prefixedName.test(text) || snakeCase.test(text)) return true;
  return identifier.test(text) && camelCase.test(text);
}

/** Whether a word that asks for a definition is adjacent. */
function isBesideDefinitionWord(tokens: readonly QueryToken[], at: number): boolean {
  const text = textOf(tokens[at]);
  const word = text.toLowerCase();
  if (
    !identifier.test(text) ||
    isQuestionWord(word) ||
    questionWords.has(word) ||
    stopWords.has(word)
  )
    return false;
  return [-1, 1].some((step) => {
    let beside = at + step;
    while (linkWords.has(tokens[beside]?.word ?? '')) beside += step;
    return definitionWords.has(tokens[beside]?.word ?? '');
  });
}
