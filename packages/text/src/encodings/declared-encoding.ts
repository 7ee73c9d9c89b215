import { encodingOf, extendsAscii, type TextEncoding } from './encodings.js';

/** Bytes of a text that may declare its encoding. */
export const declarationBytes = 64 * 1024;

/** Each takes linear time. */
const declarations: readonly RegExp[] = [
  /^\s*<\?xml\s[^<>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/gi,
  /^@charset "([\w.:-]{1,40})"/gi,
  /(?:^|\W)charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/gi,
  /\\usepackage\[([\w.:-]{1,40})\]\{inputenc\}/g,
];
/** Emacs, Vim, Python and Ruby read it only in the first two lines. */
const codingComment = /(?:^|\W)(?:file)?(?:en)?coding[:=][ \t]{0,9}([\w.-]{1,40})/gi;
const maxCommentChars = 1000;

/**
 * Returns the encodings that a text declares, most likely first: in an XML declaration, a `charset`, a `coding` comment
 * or a LaTeX package. Omits unknown encodings and those that do not extend ASCII.
 */
export function declaredEncodings(bytes: Uint8Array): readonly TextEncoding[] {
  const text = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const encodings = new Set<TextEncoding>();
  const add = (pattern: RegExp, part: string): void => {
    for (const [, label] of part.matchAll(pattern)) {
      const encoding = label === undefined ? null : encodingOf(label);
      if (encoding !== null && extendsAscii(encoding)) encodings.add(encoding);
    }
  };
  add(
    codingComment,
    text
      .slice(0, maxCommentChars)
      .split(/\r\n?|\n/, 2)
      .join('\n'),
  );
  for (const pattern of declarations) add(pattern, text);
  return [...encodings];
}
