/** For models, beside the descriptions of the tools. */
export const instructions = [
  'Trove indexes files, code, documents, issues, chats and databases. Each object has a URI, such as `file://notes/a.md`.',
  'Begin with `search`, or with `grep` if you know the exact text. A hit names its lines as `URI:40-60`: pass that to `read`.',
  'Several queries or objects fit into one call. If an answer has a `cursor`, the same call with it continues.',
].join('\n');
