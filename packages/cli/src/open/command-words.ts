/** Splits a command such as `code --wait` or `"/opt/my editor/bin/ed" -x` into words. */
export function splitCommand(text: string): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}
