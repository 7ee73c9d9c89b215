import { TroveError } from '@trove/core';
import {
  compilePattern,
  matchLinesInTime,
  type Pattern,
  type PatternRequest,
} from '@trove/text/grep';
import { serveCalls } from '@trove/runtime/workers';
import { outline } from '../chunking/index.js';
import { takeText } from '../classification.js';
import { analyse } from './analyse.js';
import { cutWith, type Cut } from './cut.js';
import { expand } from './expand.js';
import { embedderInThread, type EmbedderInThread } from './embedder-in-thread.js';
import type {
  AnalyseResult,
  ComputeRequest,
  FitRequest,
  MeasureRequest,
  MeasureResult,
  Requests,
  WorkerSetup,
} from './messages.js';
import { prepare } from './prepare.js';
import { sample } from './sample.js';

// The entry point of the engine's worker threads.

serveCalls<Requests>(({ embedder, dimension, chunker }: WorkerSetup) => {
  const cut = cutWith(chunker);
  const own = embedder === null ? null : embedderInThread(embedder, dimension);
  const embed = own?.embed ?? null;
  return {
    prepare: (request, send) => prepare(request, { embed, cut, send }),
    analyse: (request) => analyse(request, embed),
    match: (request) => matchLinesInTime(compiled(request), request),
    sample: (request) => sample(request, cut),
    fit: (request) => learned(request, own),
    measure: (request) => measure(request, cut),
    expand: (request) => expand(request),
    outline: ({ object, density }) => {
      const { source } = takeText(object);
      return { outline: source && outline(source, density) };
    },
  };
}, vectorsOf);

async function measure(
  { object, chunkChars, chunkMax }: MeasureRequest,
  cut: Cut,
): Promise<MeasureResult> {
  const { source } = takeText(object);
  if (source === null) return { chunks: 0, chars: 0 };
  const { chunks } = await cut({ ...source, maxChars: chunkChars, maxChunks: chunkMax });
  return {
    chunks: chunks.length,
    chars: chunks.reduce((sum, each) => sum + each.content.length, 0),
  };
}

async function learned(
  { texts }: FitRequest,
  embedder: EmbedderInThread | null,
): Promise<Uint8Array<ArrayBuffer>> {
  if (embedder === null) throw new TroveError('internal_error', 'This thread has no embedder');
  return embedder.fit(texts);
}

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
function vectorsOf(sent: Requests[ComputeRequest]['result'] | AnalyseResult): ArrayBuffer[] {
  if (!('rows' in sent)) return [];
  const buffers = new Set<ArrayBuffer>();
  for (const { vector } of sent.rows) {
    if (vector !== null && vector.buffer instanceof ArrayBuffer) buffers.add(vector.buffer);
  }
  return [...buffers];
}
