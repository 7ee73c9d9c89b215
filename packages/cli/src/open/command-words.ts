/** The words of a command in a variable: `code --wait` and `"/opt/my editor/bin/ed" -x`. */
export function splitCommand(text: string): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}
