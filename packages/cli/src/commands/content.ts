import type { CatResponse } from '@trove/client';

import type { Cli } from '../session/cli.js';

/**
 * Prints a text. Its last line is ended where a prompt follows, and in what was made of the object, such as an
 * outline; the text of a source goes into a pipe as it is.
 */
export async function printContent(
  cli: Cli,
  { content, partial }: CatResponse,
  { isMade = false }: { readonly isMade?: boolean } = {},
): Promise<void> {
  const { out, err } = cli;
  await out.write(out.safe(content));
  const isOpen = content !== '' && !content.endsWith('\n');
  if (isOpen && (out.isTerminal || isMade)) await out.write('\n');
  if (partial) await err.line('note: the source returned only part of it');
}
