import type { CatResponse } from '@trove/client';

import type { Cli } from '../session/cli.js';

/**
 * Prints a text. Adds a missing line break on a terminal and after generated text, such as an outline. Other text is
 * piped unchanged.
 */
export async function printContent(
  cli: Cli,
  { content, partial }: CatResponse,
  { isGenerated = false }: { readonly isGenerated?: boolean } = {},
): Promise<void> {
  const { out, err } = cli;
  await out.write(out.safe(content));
  const isOpen = content !== '' && !content.endsWith('\n');
  if (isOpen && (out.isTerminal || isGenerated)) await out.write('\n');
  if (partial) await err.line('note: the source returned only part of the text');
}
