/** A comment, or a literal: the alternatives come in this order so that `//` in a text begins no comment. */
const commentOrLiteral =
  /\/\*([\s\S]*?)\*\/|\/\/([^\n]*)|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const minSpaces = 3;

/** The text that people read in a file: a page without its code, or the comments and messages of a program. */
export function proseOf(name, text) {
  return name.endsWith('.md') ? pageText(text) : programText(text);
}

function pageText(text) {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, 'X');
}

function programText(text) {
  return Array.from(text.matchAll(commentOrLiteral), ([, block, line, ...literals]) => {
    if (block !== undefined) return block.replaceAll(/^\s*\*? ?/gm, '');
    return line?.trim() ?? sentenceIn(literals.find((literal) => literal !== undefined) ?? '');
  }).join('\n');
}

/** A literal with few spaces is a name, a path or a format. */
function sentenceIn(literal) {
  return literal.split(' ').length > minSpaces ? literal : '';
}
