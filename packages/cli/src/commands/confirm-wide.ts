import { Exit, Failure } from '../failure.js';
import { widenessOf } from '../paths/wide.js';
import type { Cli } from '../session/cli.js';
import { registeredAs } from './registered.js';

/**
 * Asks for confirmation when a target is probably too large, and throws when it is declined. One that is registered, as
 * `source`, was confirmed before.
 */
export async function confirmWide(target: string, source: string, cli: Cli): Promise<void> {
  const isHere = cli.local || source !== target;
  const what = isHere ? await widenessOf(target) : null;
  if (what === null || (await registeredAs(source, cli)) !== undefined) return;
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
