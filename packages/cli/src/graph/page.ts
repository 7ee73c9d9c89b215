import type { GraphQueryRequest } from '@trove/client';

import { openBrowser } from '../open/browser.js';
import { createPass } from '../session/pass.js';
import type { Cli } from '../session/cli.js';

/**
 * Opens the console with a question. The URL contains a pass instead of the token, because browsers store
 * URLs and other users see command lines. The fragment is never sent.
 */
export async function openPage(cli: Cli, graph: string, request: GraphQueryRequest): Promise<void> {
  const page = `${cli.endpoint}/#/graphs?${fragmentOf(graph, request)}`;
  const pass = passOf(cli);
  const isOpen = await openBrowser(page + pass, cli.env);
  await cli.err.line(isOpen ? `Opened ${page}` : `No browser is available. Open ${page}`);
}

function fragmentOf(
  graph: string,
  { use_reranking: ranks, ...request }: GraphQueryRequest,
): string {
  const all = { graph, ...request, use_reranking: ranks === false ? 'false' : '' };
  const fragment = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && value !== null && value !== '') fragment.set(name, `${value}`);
  }
  return fragment.toString();
}

/** Only the token of the server can create passes. With another token, the page asks for one. */
function passOf({ token }: Cli): string {
  const makesPasses = token !== undefined && !token.value.startsWith('trove_');
  return makesPasses ? `&pass=${createPass(token.value)}` : '';
}
