import { mediaTypeOf } from '@trove/text/media-types';
import type { ClassifiedText } from './format.js';
import type { Lines } from './lines.js';

/*
 * Finds definitions on lines at which texts are not split: constants, fields, methods with a body on later lines, and
 * forms of single languages.
 *
 * Each pattern captures the name. Repetitions are bounded or disjoint.
 */

const namePattern = '[\\p{L}_$][\\p{L}\\p{N}_$]*';
/** Longer lines were not written by hand. */
const maxLineChars = 300;
/** Maximum number of lines of a definition's parameters. */
const maxParameterLines = 12;

const constants = pattern(
  '(?:(?:export|declare|pub(?:\\([a-z]{1,10}\\))?|public|private|protected|internal|static|final|const|let|val|var|my|our|local|readonly) +){0,6}' +
    '([A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z][A-Z0-9]{3,}) ?(?::[^=]{1,80})?=(?!=)',
);
/** Used only at the left margin. Indented ones are as frequent as statements. */
const variables = pattern(
  '(?:(?:export|declare|pub(?:\\([a-z]{1,10}\\))?|public|private|internal|local|my|our) +){0,3}' +
    `(?:const|let|var|val|static|final|lazy val|local) +(?:mut +)?[$@%]?(${namePattern}) ?(?:: ?[^=]{1,80})?(?:=(?! ?(?:require\\(|(?:await )?import\\b))|;|$)`,
);
/** Used only at the left margin. */
const assignments = pattern(
  `(?:${namePattern}[.:]){0,4}(?!exports\\b)(${namePattern}) ?(?::[^=]{1,80})?(?:=(?![=>~]| ?(?:require\\(|import\\b))|:=|<-)`,
);
const modifiers =
  /^(?:@[\w.]{1,60}(?:\([^()]{0,80}\))? +){0,3}(?:(?:public|private|protected|internal|fileprivate|static|abstract|virtual|override|sealed|readonly|final|extern|partial|unsafe|volatile|transient|native|synchronized|open|lateinit|implicit|lazy|constexpr|inline|required|weak|mutating) +){1,8}/;
/** A line in the list of an import. */
const importedType = pattern(`type ${namePattern}(?: as ${namePattern})?,?$`);
/** A type that is defined later or in another file. */
const forwardDeclaration = pattern(`(?:class|struct|union|enum(?: class)?) ${namePattern} ?;$`);
const lastWord = new RegExp(
  `(?<![\\p{L}\\p{N}_$])${namePattern}(?=(?:\\[[^\\]]{0,20}\\])? *$)`,
  'u',
);
/** Words that describe a definition but do not name it. */
const modifierWords =
  /^(?:public|private|protected|static|const|let|var|val|function|get|set|class|default|new|this)$/;
/** Statements that also have parentheses and a body. */
const notKeyword = '(?!(?:function|if|for|foreach|while|switch|catch|synchronized)\\b)';
/** Continuations of initial values and conditions: `: rows(a) {}`, `, rows(a) {}`, `? rows(a)`. */
const notContinuation = '(?![:,?])';
const inlineBody = pattern(
  `${notContinuation}(?:[\\w$:<>,*&?.[\\]~]{1,80} +){0,6}[*&]?${notKeyword}(${namePattern}) ?\\([^()]{0,160}\\)[^;{}=]{0,40}\\{.*\\}[,;]?$`,
);
const beforeParameters = pattern(
  `${notContinuation}(?:[\\w$:<>,*&?.[\\]~]{1,80} +){1,6}[*&]{0,2}(?:${namePattern}::){0,4}${notKeyword}(~?${namePattern}) ?\\(`,
);
/** A method of an interface. Used only for languages in which no statement looks like one. */
const declared = pattern(
  `(?:[\\w$<>,?.[\\]]{1,80} +){1,4}(${namePattern}) ?\\([^;{}=]{0,200}\\)[^;{}=]{0,40};$`,
);
/** `* Closes the file (once) {@link …}`: a comment may read like a type, a name and parameters. */
const comment = /^(?:\/[/*]|\*(?:[ /]|$))/;
const statement =
  /^(?:if|else|for|foreach|while|do|switch|case|match|catch|try|finally|with|return|throw|raise|new|await|yield|using|lock|when|loop|select|go|defer|elif|unless|until|assert|print|delete|typeof|in|of|not|and|or|import|from)\b/;

const scriptLike: readonly RegExp[] = [
  pattern(
    `(?:${namePattern}\\.){0,4}${namePattern} ?= ?(?:async ?)?(?:class|function) (${namePattern})`,
  ),
  pattern(
    `(${namePattern}) ?[=:] ?(?:async ?)?(?:function\\b|\\([^()]{0,160}\\)(?: ?:[^=]{1,60})? ?=>|${namePattern} ?=>)`,
  ),
];
const cLike: readonly RegExp[] = [
  pattern(`# {0,4}define +(${namePattern})`),
  pattern(`typedef +(?:struct|union|enum) +(${namePattern}) ?\\{`),
  pattern(`typedef\\b[^;(]{0,120}\\( ?\\* ?(${namePattern}) ?\\)`),
  pattern(`typedef\\b[^;={(]{1,160}[ *](${namePattern})(?:\\[[^\\]]{0,20}\\])? ?;`),
  pattern(`\\} ?(${namePattern}) ?;$`),
  pattern(`using +(${namePattern}) ?=`),
  pattern(
    `(?:[a-z]+ +){0,3}const(?:expr)? +[\\w:<>, *&]{1,80}[ *&](${namePattern})(?:\\[[^\\]]{0,20}\\])? ?=(?![^(]*\\))`,
  ),
  pattern(`concept +(${namePattern}) ?=`),
  pattern(`@(?:interface|implementation|protocol) +(${namePattern})`),
  pattern(`[-+] ?\\([^()]{1,60}\\) ?(${namePattern})`),
];
const jvmLike: readonly RegExp[] = [
  pattern(`(?:[a-z]+ +){0,4}(?:typealias|actor|mixin) +(${namePattern})`),
  pattern(`(?:[a-z]+ +){1,4}(?:class|object|trait) +(${namePattern})`),
  pattern(`@interface +(${namePattern})`),
  pattern(`(?:va[lr]) +(${namePattern}) ?: ?[\\p{L}[]`),
  pattern(`(?:[a-z]+ +){0,4}fun +(?:<[^<>]{0,80}> ?)?[\\w<>?, ]{1,60}\\.(${namePattern}) ?\\(`),
];
const keywordLike: readonly RegExp[] = [
  pattern(
    `(?:(?:public|private|protected|friend|shared|overridable|overrides|pure|recursive|elemental) +){0,4}(?:class|module|structure|interface|enum|function|sub|property|const|event|delegate|procedure|subroutine|program|package(?: body)?|task|entity) +(${namePattern})`,
    'iu',
  ),
];
const mlLike: readonly RegExp[] = [
  pattern(
    `(?!.* in$)(?:let|and) +(?:(?:rec|inline|mutable|private) +){0,3}(?!open\\b)(${namePattern})`,
  ),
  pattern(`exception +(${namePattern})`),
];
const haskellLike: readonly RegExp[] = [
  pattern(`(?:data|newtype|type alias|port) +(${namePattern})`),
  pattern(`(${namePattern})'{0,3} {1,20}:{1,2} `),
];

/** Keys are subtypes of media types. */
const byLanguage: Readonly<Record<string, readonly RegExp[]>> = {
  javascript: scriptLike,
  typescript: scriptLike,
  'x-vue': scriptLike,
  'x-svelte': scriptLike,
  'x-c': cLike,
  'x-c++': cLike,
  'x-objective-c': cLike,
  'x-cuda': cLike,
  'x-glsl': cLike,
  'x-java': jvmLike,
  'x-kotlin': jvmLike,
  'x-scala': jvmLike,
  'x-groovy': jvmLike,
  'x-swift': jvmLike,
  'x-dart': [
    ...jvmLike,
    pattern(`typedef +(${namePattern}) ?=`),
    pattern(`(?:[\\w<>?,]{1,60} +){0,4}get +(${namePattern})`),
  ],
  'x-vb': keywordLike,
  'x-pascal': keywordLike,
  'x-fortran': keywordLike,
  'x-ada': keywordLike,
  'x-vhdl': keywordLike,
  'x-ocaml': mlLike,
  'x-fsharp': mlLike,
  'x-haskell': haskellLike,
  'x-elm': haskellLike,
  'x-rust': [
    pattern(`(?:pub(?:\\([a-z]{1,10}\\))? +)?mod +(${namePattern})`),
    pattern(`(?:[a-z]+(?:\\([a-z]{1,10}\\))? +){0,4}extern +"[^"]{0,20}" +fn +(${namePattern})`),
  ],
  'x-erlang': [
    pattern(`-(?:module|record|define|type|opaque)\\( ?(${namePattern})`),
    pattern(
      `([a-z]${namePattern.slice(namePattern.indexOf(']') + 1)})\\(.{0,160}\\) ?(?:when .{0,80})?->`,
    ),
  ],
  'x-elixir': [
    pattern(`(?:def\\w{0,20}) +(${namePattern})`),
    pattern(`@(?:typep?|opaque|(?:macro)?callback) +(${namePattern})`),
    pattern(
      `@(?!(?:(?:module|type)?doc|spec|impl|behaviour|derive|tag|typep?|opaque|(?:macro)?callback|enforce_keys|deprecated|since)\\b)(${namePattern}) +[^@]`,
    ),
  ],
  'x-ruby': [
    pattern(
      `(?:attr_(?:reader|writer|accessor)|define_method|scope|alias_method)[ (]+:(${namePattern})`,
    ),
  ],
  'x-php': [pattern(`define\\( ?['"](${namePattern})`)],
  'x-perl': [pattern(`use constant +\\{? ?(${namePattern})`)],
  'x-lua': [pattern(`(?:local +)?function +${namePattern}:(${namePattern})`)],
  'x-julia': [
    pattern(`macro +(${namePattern})`),
    pattern(`(${namePattern}[!]?)\\([^()]{0,160}\\) ?=(?!=)`),
  ],
  'x-powershell': [pattern(`(?:function|filter) +[a-z]+-(${namePattern})`, 'iu')],
  'x-cmake': [pattern(`(?:function|macro) ?\\( ?(${namePattern})`, 'iu')],
  'x-solidity': [
    pattern(`(?:abstract +)?(?:contract|library|event|modifier|error) +(${namePattern})`),
  ],
  'x-hcl': [
    pattern(
      '(?:(?:resource|data) +"[\\w-]{1,80}"|variable|module|output|provider) +"([\\w-]{1,80})"',
    ),
  ],
  graphql: [
    pattern(
      `(?:extend +)?(?:input|query|mutation|subscription|fragment|scalar|directive) +@?(${namePattern})`,
    ),
  ],
};

/** Further patterns for lines at the left margin. */
const outerByLanguage: Readonly<Record<string, readonly RegExp[]>> = {
  'x-python': [assignments],
  javascript: [assignments],
  typescript: [assignments],
  'x-r': [assignments],
  'x-julia': [assignments],
  'x-lua': [assignments],
  'x-starlark': [assignments],
  'x-go': [pattern(`(?:var|const) +(${namePattern})`)],
};
/** Languages whose definitions have a body in braces. */
const bracedLanguages: ReadonlySet<string> = new Set([
  'x-c',
  'x-c++',
  'x-objective-c',
  'x-cuda',
  'x-glsl',
  'x-csharp',
  'x-java',
  'x-dart',
  'x-d',
  'x-php',
  'x-solidity',
]);

/** Languages in which a name with parameters and no body declares a method. */
const methodDeclaringLanguages: ReadonlySet<string> = new Set(['x-java', 'x-csharp']);

/** Finds the names that each line of a text in one language defines. */
export class MinorDefinitions {
  readonly #lines: Lines;
  readonly #rules: readonly RegExp[];
  readonly #outerRules: readonly RegExp[];
  readonly #isBraced: boolean;
  readonly #isDeclaring: boolean;

  constructor(lines: Lines, { mediaType, path }: Pick<ClassifiedText, 'mediaType' | 'path'>) {
    const language = subtypeOf(mediaType ?? mediaTypeOf(path) ?? '');
    this.#lines = lines;
    this.#rules = rulesFor(language, byLanguage);
    this.#outerRules = [variables, ...rulesFor(language, outerByLanguage)];
    this.#isBraced = bracedLanguages.has(language);
    this.#isDeclaring = methodDeclaringLanguages.has(language);
  }

  /** Returns the name that a line defines, or null. */
  at(line: number): string | null {
    const text = this.#textOf(line);
    if (text === '' || comment.test(text)) return null;
    const named = firstName(this.#rules, text) ?? firstName([constants], text);
    if (named !== null || statement.test(text)) return named;
    const isOuter = this.#lines.contentStart(line) === this.#lines.start(line);
    return (
      (isOuter ? firstName(this.#outerRules, text) : null) ??
      member(text) ??
      firstName([inlineBody], text) ??
      (this.#isDeclaring ? firstName([declared], text) : null) ??
      (this.#isBraced ? this.#withBody(line, text) : null)
    );
  }

  /** Like `at`, with only the patterns of the language. */
  byLanguageRules(line: number): string | null {
    return firstName(this.#rules, this.#textOf(line));
  }

  /** Whether a line only mentions a type that is defined elsewhere. */
  isUse(line: number): boolean {
    const text = this.#textOf(line);
    return importedType.test(text) || (this.#isBraced && forwardDeclaration.test(text));
  }

  /** Returns '' for lines that are too long to be written by hand. */
  #textOf(line: number): string {
    const textStart = this.#lines.contentStart(line);
    const end = this.#lines.end(line);
    return end - textStart > maxLineChars
      ? ''
      : this.#lines.text.slice(textStart, end).replaceAll('\t', ' ');
  }

  #withBody(line: number, text: string): string | null {
    const name = firstName([beforeParameters], text);
    return name !== null && this.#opensBody(line) ? name : null;
  }

  /** Whether the parameters that begin on a line are followed by a body. Declarations end with a semicolon instead. */
  #opensBody(line: number): boolean {
    const last = Math.min(this.#lines.count, line + maxParameterLines);
    for (let at = line; at < last; at++) {
      const text = this.#lines.slice(at).trim();
      if (text.startsWith('{') || text.endsWith('{')) return true;
      if (text === '' || /[;}]$/.test(text)) return false;
    }
    return false;
  }
}

/** Returns the name in a line with modifiers: the last word before the parameters, type, value or body. */
function member(text: string): string | null {
  const [before] = modifiers.exec(text) ?? [];
  if (before === undefined) return null;
  const rest = withoutTypeArguments(text.slice(before.length));
  const end = rest.search(/[(={;]|:(?!:)/);
  if (end === -1) return null;
  const [name] = lastWord.exec(rest.slice(0, end)) ?? [];
  return name === undefined || modifierWords.test(name) ? null : name;
}

/** Removes the text in angle brackets: `Map<String, List<T>> x` becomes `Map x`. */
function withoutTypeArguments(text: string): string {
  let kept = '';
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth++;
    else if (character === '>' && depth > 0) depth--;
    else if (depth === 0) kept += character;
  }
  return kept;
}

function rulesFor(
  language: string,
  table: Readonly<Record<string, readonly RegExp[]>>,
): readonly RegExp[] {
  return Object.hasOwn(table, language) ? (table[language] ?? []) : [];
}

function firstName(patterns: readonly RegExp[], text: string): string | null {
  for (const each of patterns) {
    const name = each.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

function pattern(source: string, flags = 'u'): RegExp {
  return new RegExp(`^${source}`, flags);
}

function subtypeOf(mediaType: string): string {
  return mediaType.toLowerCase().split(';', 1)[0]?.trim().split('/')[1] ?? '';
}
