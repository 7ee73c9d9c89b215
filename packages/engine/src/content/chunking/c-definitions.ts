import type { ClassifiedText } from './format.js';
import type { Lines } from './lines.js';
import { signatureAt, type DefinitionSignature } from './signature.js';

/*
 * Definitions of C and C++ that begin like declarations or like calls of macros.
 *
 * Repetitions are bounded or disjoint, so a hostile line takes linear time.
 */

const language = /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inl|m|mm|cu)$|x-(?:c|c\+\+|objective-c|cuda)\b/i;
const header = /\.(?:h|hh|hpp|hxx|inl)$/i;
/** `struct node *next;`, `enum mode mode = none;` */
const variable =
  /^(?:(?:static|const|extern|volatile|register)\s+){0,4}(?:struct|union|enum|class)\s+\w{1,80}[\s*&]+\w{1,80}[^(){}]{0,200};$/;
/** `struct node *find(…`: a function that returns a structure. */
const returnsType =
  /^(?:[\w]{1,40}\s+){0,5}(?:struct|union|enum|class)\s+\w{1,80}[\s*&]+(\w{1,80})\s*\(/;
/** `PUBLIC(char *) name(…`: a macro, then the function. */
const afterMacro =
  /^(?:\w{1,40}\s+){0,3}[A-Z][A-Z0-9_]{1,60}\s?\([^()]{0,80}\)\s*(?:\w{1,60}[\s*&]+){0,4}[*&]*(\w{1,80})\s*\(/;
const template = /^template ?<[^<>]{0,200}> ?/;
const typedef = /^typedef\b/;
const typedefName = /(\w{1,80})\s*(?:\[\w{0,20}\]\s*)?;$/;
const functionTypedefName = /\(\s*\*\s*(\w{1,80})\s*\)/;
/** A declaration of a function in a header. */
const prototype =
  /^(?!(?:return|else|typedef|using|if|for|while|switch)\b)(?=.*\b\w+\s*\()[A-Za-z_][^{}=;"]{1,600}\)[^(){}=;"]{0,80};$/;
const functionName = /(\w{1,80})\s*\(/;

/** Whether a text is in C, C++ or a language that extends them. */
export function isC({ path, mediaType }: Pick<ClassifiedText, 'path' | 'mediaType'>): boolean {
  return language.test(path) || language.test(mediaType ?? '');
}

/** Whether a signature only declares a variable of a type that is defined elsewhere. */
export function isCVariable(signature: string): boolean {
  return variable.test(signature);
}

/** Returns the name of a function whose signature begins with a macro or a type's keyword, or null. */
export function functionNameInC(signature: string): string | null {
  return (returnsType.exec(signature) ?? afterMacro.exec(signature))?.[1] ?? null;
}

export function withoutTemplate(signature: string): string {
  return signature.replace(template, '');
}

/** Returns the signature of a type definition or of a function that a header declares; null for other lines. */
export function declarationAt(
  lines: Lines,
  at: number,
  { path }: Pick<ClassifiedText, 'path'>,
): DefinitionSignature | null {
  if (lines.contentStart(at) !== lines.start(at)) return null;
  const first = lines.slice(at);
  if (!/^[A-Za-z_]/.test(first)) return null;
  if (typedef.test(first)) return signatureAt(lines, at);
  if (!header.test(path) || !first.includes('(')) return null;
  const signature = signatureAt(lines, at);
  return prototype.test(signature.text) ? signature : null;
}

/** Returns the name that a type definition or declaration gives. `end` is the text of its last line. */
export function declaredName(signature: string, end: string): string | null {
  if (!typedef.test(signature))
    return functionNameInC(signature) ?? functionName.exec(signature)?.[1] ?? null;
  return (functionTypedefName.exec(signature) ?? typedefName.exec(end.trim()))?.[1] ?? null;
}
