/** The text that people read in a file: a page without its code, or the comments, messages and titles of a program. */
export function proseOf(name, text) {
  return name.endsWith('.md') ? pageText(text) : programText(text);
}

function pageText(text) {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, 'X');
}

function programText(text) {
  return [...text.matchAll(comment), ...text.matchAll(sentence)]
    .map(([, line, block, quoted]) => line ?? block?.replaceAll(/^\s*\* ?/gm, '') ?? quoted ?? '')
    .join('\n');
}
