import { errorCatalogue, type ErrorCode, type TroveError } from '@trove/core';
import { ToolError } from './tool-error.js';

/** What an agent can do about an error of the engine, in terms of the tools. */
const toolRemedies: Partial<Record<ErrorCode, string>> = {
  not_found: '`list` shows the sources without a path, and the entries of a folder with one.',
  is_directory: 'Pass it to `list`, or as `path` to `search` and `grep`.',
  locator_not_found: 'Call `search` again, because the object has changed.',
  object_too_large_for_cat: 'Read some of its `lines`, or find a text in it with `grep`.',
  range_unsupported: 'Call `read` without `lines`.',
  density_unsupported: 'Call `read` without `outline`.',
  not_supported: 'Use `search` or `grep` with this `path`.',
  sync_already_running: '`status` shows its progress.',
  connector_removing: 'Use another source. `list` shows them.',
  graph_busy: 'Repeat the call later.',
  rate_limited: 'Repeat the call later.',
  overloaded: 'Repeat the call later.',
  not_ready: 'Repeat the call later.',
  engine_closed: 'Repeat the call later.',
  timed_out: 'Narrow the call with `path` or `glob`, or lower `limit`.',
  embedding_unavailable: 'Call `search` with `mode` "keyword".',
};

/** Errors in the arguments of a call. Their own suggestions describe values and name no other operation. */
const argumentErrors: ReadonlySet<ErrorCode> = new Set(['validation_error', 'filter_invalid']);

/** Returns the remedies of an error for an agent. Settings and commands are left to the user, because agents have neither. */
export function remediesOf(error: TroveError): readonly string[] {
  const { code, suggestions } = error;
  if (error instanceof ToolError) return suggestions;
  const remedy = toolRemedies[code];
  if (remedy !== undefined) return [remedy];
  // The general remedy of invalid arguments names a document that agents cannot load.
  if (argumentErrors.has(code))
    return suggestions.filter(
      (text) => code !== 'validation_error' || text !== errorCatalogue[code].remedy,
    );
  return suggestions.map((text) => `For the user: ${text}`);
}
