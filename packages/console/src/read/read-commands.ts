import { shellQuote } from '../parts/shell-quote.js';
import type { ReadChoice } from './read-request.js';

interface Command {
  readonly label: string;
  readonly text: string;
}

/** Returns calls of other programs that read the same part. `base` is the address of the server. */
export function readCommands(base: string, { path, lines, locator }: ReadChoice): Command[] {
  const range = lines?.join(':');
  const part: Record<string, string> =
    range !== undefined ? { range } : locator === null ? {} : { locator: JSON.stringify(locator) };
  const query = new URLSearchParams({ path, ...part });
  const options = Object.entries(part).map(([name, value]) => `--${name} ${shellQuote(value)}`);
  const call = {
    name: 'read',
    arguments: {
      path,
      ...(range === undefined ? {} : { range }),
      ...(locator === null ? {} : { locator }),
    },
  };
  return [
    { label: 'Command line', text: ['trove cat', shellQuote(path), ...options].join(' ') },
    {
      label: 'HTTP',
      text: `curl -H "Authorization: Bearer $TROVE_API_TOKEN" ${shellQuote(`${base}/v1/cat?${query}`)}`,
    },
    { label: 'MCP tool', text: JSON.stringify(call, null, 2) },
  ];
}
