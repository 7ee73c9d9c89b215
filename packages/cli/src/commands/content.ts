import type { CatResponse } from '@trove/client';

import type { Cli } from '../session/cli.js';

/** Prints a text; on a terminal, the prompt then starts on a new line. */
export async function printContent(cli: Cli, { content, partial }: CatResponse): Promise<void> {
  const { out, err } = cli;
  await out.write(out.safe(content));
  if (out.isTerminal && content !== '' && !content.endsWith('\n')) await out.write('\n');
  if (partial) await err.line('note: the source gave only a part');
}
