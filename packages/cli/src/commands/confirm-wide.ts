import { Exit, Failure } from '../failure.js';
import { localPathOf, widenessOf } from '../paths/wide.js';
import type { Cli } from '../session/cli.js';

/**
 * Asks for confirmation when a target is probably too large, and throws when it is declined. A registered target was
 * confirmed before.
 */
export async function confirmWide(target: string, cli: Cli): Promise<void> {
  const what = cli.local ? await widenessOf(target) : null;
  if (what === null || (await isRegistered(target, cli))) return;
  const shown = cli.err.safeName(target);
  if (cli.ask === null) {
    throw new Failure('confirmation_required', `${shown} is ${what}`, [
      'Add a folder in it, or say that you mean it: trove add -y …',
    ]);
  }
  if (await cli.ask(`${shown} is ${what}. Index all of it?`)) return;
  await cli.err.line('Nothing was added.');
  throw new Exit(1);
}

async function isRegistered(target: string, cli: Cli): Promise<boolean> {
  const { connectors } = await cli.client.server.status();
  return connectors.some(({ root_uri }) => localPathOf(root_uri) === localPathOf(target));
}
