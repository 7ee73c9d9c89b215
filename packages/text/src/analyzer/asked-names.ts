import { QUESTION_WORDS, STOP_WORDS, wordSet } from './stop-words.js';

/*
 * Names of programs among the words of a query: `where is parseHeader defined`. A name that looks like one counts anywhere, any other
 * word only beside a word that asks for a definition.
 */

/** Say that the word beside them is defined somewhere. */
const DEFINING = wordSet(`
  def define defines defined defining definition definitions declare declares declared declaration declarations
  implement implements implemented implementing implementation implementations func fn
`);
/** The same, in a question for nothing else: elsewhere they stand beside words that are no names. */
const KINDS = wordSet(`
  fun function functions method methods class classes struct structs interface interfaces trait enum macro constant constructor
  decorator signature
`);
/** The same, but only of names that begin with a capital. */
const LOOSELY_DEFINING = wordSet(
  'type types object module field variable var const work works working',
);
/** Phrase such a question. */
const PHRASING = wordSet(`
  where what which how does do did is are was the a an in of for to me my show find see get locate located location live lives
  look lookup named file code source explain about this it return returns mean means please can i you tell there and
`);
/** What is asked for is not where the name is defined. */
const USING = wordSet(`
  use uses used using usage usages user users call calls called caller callers calling reference references referenced example
  examples import imports imported invoke invoked test tests tested testing spec fixture commit commits who when why
`);
/** May stand between a name and the word that asks for its definition. */
const BETWEEN = wordSet('of the a an is are');

const CALL = /([\p{L}_$][\p{L}\p{N}_$.:#]{0,100})\([^()]{0,200}\)/gu;
const AROUND = /^["'`“”‘’«»([{<]+|["'`“”‘’«»)\]}>,;:.?!]+$/gu;
const CAMEL_CASE = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}(?!$)/u;
const SNAKE_CASE = /^[\p{L}\p{N}_$]*(?:[\p{L}\p{N}]_|_[\p{L}\p{N}])[\p{L}\p{N}_$]*$/u;
const QUALIFIED = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]+)+$/u;
/** Files and hosts. */
const DOTTED_OTHERWISE =
  /\.(?:com|org|net|io|dev|app|ai|edu|gov|js|ts|py|go|rs|rb|md|json|ya?ml|toml|html?|css|txt|pdf|docx?|xlsx?)$/iu;
const PREFIXED = /^[$@][\p{L}_][\p{L}\p{N}_]+$/u;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u;
const CAPITALISED = /^\p{Lu}/u;
/** Longer texts are not questions for a name. */
const MAX_TOKENS = 40;

interface Token {
  readonly text: string;
  readonly word: string;
  readonly isShaped: boolean;
}

/** The names that a query of several words asks for, as they are written. */
export function namesAmong(query: string): string[] {
  const tokens = tokensOf(query);
  if (tokens.length > MAX_TOKENS || tokens.some(({ word }) => USING.has(word))) return [];
  return tokens.filter((token, at) => token.isShaped || isDefinedBeside(tokens, at)).map(textOf);
}

/** The name that a query asks for in so many words, such as `definition of parse_header`; null when it asks for more, or less. */
export function nameInQuestion(query: string): string | null {
  const tokens = tokensOf(query);
  if (tokens.length < 2 || tokens.length > MAX_TOKENS) return null;
  const shaped = tokens.filter(({ isShaped }) => isShaped);
  const others = tokens.filter(({ isShaped, word }) => !isShaped && !isPhrasing(word));
  if (tokens.some(({ word, isShaped }) => !isShaped && USING.has(word))) return null;
  if (shaped.length > 0)
    return shaped.length === 1 && others.length === 0 ? textOf(shaped[0]) : null;
  const [other] = others;
  if (other === undefined || others.length > 1 || !IDENTIFIER.test(other.text)) return null;
  const isCapitalised = CAPITALISED.test(other.text);
  const isNamed = ({ word }: Token): boolean =>
    DEFINING.has(word) || KINDS.has(word) || (isCapitalised && LOOSELY_DEFINING.has(word));
  return tokens.some(isNamed) ? other.text : null;
}

function textOf(token: Token | undefined): string {
  return token?.text ?? '';
}

function isPhrasing(word: string): boolean {
  return DEFINING.has(word) || KINDS.has(word) || LOOSELY_DEFINING.has(word) || PHRASING.has(word);
}

function tokensOf(query: string): Token[] {
  const tokens = query.replaceAll(CALL, '$1()').split(/\s+/, MAX_TOKENS + 1);
  return tokens.flatMap((token) => {
    const isCalled = /[\p{L}\p{N}_$]\(\)\W*$/u.test(token);
    const text = token.replaceAll(AROUND, '').replace(/\(\)?$/, '');
    if (text === '') return [];
    return [{ text, word: text.toLowerCase(), isShaped: isCalled || isShapedLikeName(text) }];
  });
}

function isShapedLikeName(text: string): boolean {
  if (QUALIFIED.test(text)) return !DOTTED_OTHERWISE.test(text);
  if (PREFIXED.test(text) || SNAKE_CASE.test(text)) return true;
  return IDENTIFIER.test(text) && CAMEL_CASE.test(text);
}

/** Whether a word that asks for a definition stands beside it. */
function isDefinedBeside(tokens: readonly Token[], at: number): boolean {
  const text = textOf(tokens[at]);
  const word = text.toLowerCase();
  if (
    !IDENTIFIER.test(text) ||
    isPhrasing(word) ||
    QUESTION_WORDS.has(word) ||
    STOP_WORDS.has(word)
  )
    return false;
  return [-1, 1].some((step) => {
    let beside = at + step;
    while (BETWEEN.has(tokens[beside]?.word ?? '')) beside += step;
    return DEFINING.has(tokens[beside]?.word ?? '');
  });
}
