import { Exit, CommandError } from '@trove/commands';

import { describeLargeTarget } from '../paths/large-target.js';
import type { Cli } from '../session/cli.js';
import { withNotice } from '../terminal/notice.js';
import { plural } from '../terminal/numbers.js';
import { findRegisteredSource } from './registered-source.js';

/** Maximum time to wait for an estimate before the question. */
const maxWaitMs = 10_000;

/**
 * Asks for confirmation if a target is probably too large. Throws when the user declines. Registered sources need no
 * confirmation.
 */
export async function confirmLargeTarget(target: string, source: string, cli: Cli): Promise<void> {
  const isHere = cli.local || source !== target;
  const what = isHere ? await describeLargeTarget(target) : null;
  if (what === null || (await findRegisteredSource(source, cli)) !== undefined) return;
  const shown = cli.err.safeName(target);
  if (cli.confirm === null) {
    throw new CommandError('confirmation_required', `${shown} is ${what}`, [
      'Add a folder inside it, or confirm with -y: trove add -y …',
    ]);
  }
  const size = source === target ? await estimateSize(target, cli) : '';
  if (await cli.confirm(`${shown} is ${what}${size}. Index all of it?`)) return;
  await cli.err.line('Nothing was added.');
  throw new Exit(1);
}

/** Returns `: about 12,000 objects, 40,000 chunks`, or an empty text if the estimate fails or takes too long. */
async function estimateSize(target: string, cli: Cli): Promise<string> {
  try {
    const { objects, est_chunks: chunks } = await withNotice(cli, 'Estimating its size …', () =>
      cli.client.connectors.estimateConnector(
        { body: { target, config: null, since: null } },
        { signal: AbortSignal.timeout(maxWaitMs) },
      ),
    );
    return `: about ${plural(objects, 'object')}, ${plural(chunks, 'chunk')}`;
  } catch {
    return '';
  }
}
