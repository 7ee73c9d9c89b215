/** Parses settings of the form `name = value`, one per line. A value is JSON or text. Throws for other lines. */
export function parseConfig(text: string): Record<string, unknown> | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) return null;
  return Object.fromEntries(lines.map(parseLine));
}

function parseLine(line: string): [string, unknown] {
  const [, name, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`“${line}” is no setting. Write a name, = and a value.`);
  return [name, parseValue(value)];
}

function parseValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
