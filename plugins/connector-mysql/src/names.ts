/** An identifier as SQL takes it, whatever it contains. */
export function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
