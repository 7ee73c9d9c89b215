/** Quotes the name of a table or column for GoogleSQL. */
export function quoteIdentifier(...names: readonly string[]): string {
  const escaped = names.map((name) => name.replaceAll('\\', '\\\\').replaceAll('`', '\\`'));
  return `\`${escaped.join('.')}\``;
}
