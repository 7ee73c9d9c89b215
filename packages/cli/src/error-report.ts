import { TroveApiError } from '@trove/client';

import { CommandError } from '@trove/commands';
import { messageOf } from './session/system-errors.js';
import type { Sink } from './terminal/output.js';

interface ErrorEnvelope {
  readonly code: string;
  readonly detail: string;
  readonly suggestions: readonly string[];
}

/** Prints an error and its suggestions on stderr, as text or as the API's JSON. */
export async function reportError(err: Sink, error: unknown, json: boolean): Promise<void> {
  const { code, detail, suggestions } = envelopeOf(error);
  if (json) {
    await err.line(err.safe(JSON.stringify({ code, detail, suggestions })));
    return;
  }
  await err.line(`${err.style.red('error:')} ${err.safe(detail)}`);
  for (const suggestion of suggestions) {
    await err.line(`${err.style.yellow('hint:')} ${err.safe(suggestion)}`);
  }
}

/** Returns the exit code of a failed command. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CommandError ? error.exitCode : 1;
}

function envelopeOf(error: unknown): ErrorEnvelope {
  if (error instanceof TroveApiError) {
    return { code: error.code, detail: error.detail, suggestions: error.suggestions };
  }
  if (error instanceof CommandError) {
    return { code: error.code, detail: error.message, suggestions: error.suggestions };
  }
  return {
    code: 'internal_error',
    detail: messageOf(error),
    suggestions: [],
  };
}
