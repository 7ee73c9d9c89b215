import { Exit, Failure } from '@trove/commands';

import { widenessOf } from '../paths/wide.js';
import type { Cli } from '../session/cli.js';
import { whileShowing } from '../terminal/notice.js';
import { plural } from '../terminal/numbers.js';
import { registeredAs } from './registered.js';

/** How long a person waits for an estimate before the question. */
const PATIENCE_MS = 10_000;

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
  const size = source === target ? await sizeOf(target, cli) : '';
  if (await cli.ask(`${shown} is ${what}${size}. Index all of it?`)) return;
  await cli.err.line('Nothing was added.');
  throw new Exit(1);
}

/** `: about 12,000 objects, 40,000 chunks`; nothing if that cannot be found out in time. */
async function sizeOf(target: string, cli: Cli): Promise<string> {
  try {
    const { objects, est_chunks: chunks } = await whileShowing(
      cli,
      'Looking how large it is …',
      () =>
        cli.client.connectors.estimateConnector(
          { body: { target, config: null, since: null } },
          { signal: AbortSignal.timeout(PATIENCE_MS) },
        ),
    );
    return `: about ${plural(objects, 'object')}, ${plural(chunks, 'chunk')}`;
  } catch {
    return '';
  }
}
