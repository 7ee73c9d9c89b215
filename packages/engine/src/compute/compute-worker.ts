import {
  compilePattern,
  matchLinesInTime,
  type Pattern,
  type PatternRequest,
} from '@trove/core/grep';
import { serveThread } from '@trove/runtime';
import { outline } from '../chunking/index.js';
import { analyse } from './analyse.js';
import { embedInThread } from './embed-in-thread.js';
import type { Operation, Requests, WorkerSetup } from './messages.js';
import { prepare } from './prepare.js';

// The entry point of the engine's worker threads.

serveThread<Requests>(({ embedder, dimension }: WorkerSetup) => {
  const embed = embedder === null ? null : embedInThread(embedder, dimension);
  return {
    prepare: (request) => prepare(request, embed),
    analyse: (request) => analyse(request, embed),
    match: (request) => matchLinesInTime(compiled(request), request),
    outline: ({ text, kind, mediaType, density }) => ({
      outline: outline(text, kind, mediaType, density),
    }),
  };
}, buffersOf);

let lastCompiled: { readonly key: string; readonly pattern: Pattern } | null = null;

/** One search sends the same pattern over and over, and compiling it takes longer than searching many a text. */
function compiled({ pattern, regex, ignoreCase }: PatternRequest): Pattern {
  const key = JSON.stringify([pattern, regex, ignoreCase]);
  if (lastCompiled?.key !== key) {
    lastCompiled = { key, pattern: compilePattern({ pattern, regex, ignoreCase }) };
  }
  return lastCompiled.pattern;
}

/** The vectors' buffers, to be transferred instead of copied. */
function buffersOf(result: Requests[Operation]['result']): ArrayBuffer[] {
  if (!('rows' in result)) return [];
  const buffers = new Set<ArrayBuffer>();
  for (const { vector } of result.rows) {
    if (vector !== null && vector.buffer instanceof ArrayBuffer) buffers.add(vector.buffer);
  }
  return [...buffers];
}
