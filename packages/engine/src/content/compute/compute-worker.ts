import { TroveError } from '@trove/core';
import {
  compilePattern,
  matchLinesInTime,
  type CompiledPattern,
  type PatternRequest,
} from '@trove/text/grep';
import { serveCalls } from '@trove/runtime/workers';
import { enclosingLines, namedDefinitions, outline } from '../chunking/index.js';
import { classify } from '../classification.js';
import { analyse } from './analyse.js';
import { createChunkFunction, type ChunkFunction } from './chunk-function.js';
import { decompress } from './decompression.js';
import { loadThreadEmbedder, type ThreadEmbedder } from './thread-embedder.js';
import type {
  AnalyseResult,
  ComputeRequestName,
  TrainRequest,
  MeasureRequest,
  MeasureResult,
  ComputeRequests,
  WorkerSetup,
} from './messages.js';
import { prepare } from './prepare.js';
import { sample } from './sample.js';

// The entry point of the engine's worker threads.

serveCalls<ComputeRequests>(({ embedder, dimension, chunker }: WorkerSetup) => {
  const cut = createChunkFunction(chunker);
  const threadEmbedder = embedder === null ? null : loadThreadEmbedder(embedder, dimension);
  const embed = threadEmbedder?.embed ?? null;
  return {
    prepare: (request, send) => prepare(request, { embed, cut, send }),
    analyse: (request) => analyse(request, embed),
    match: (request) => matchLinesInTime(compile(request), request),
    sample: (request) => sample(request, cut),
    train: (request) => train(request, threadEmbedder),
    measure: (request) => measure(request, cut),
    decompress: (request) => decompress(request),
    outline: ({ object, density }) => {
      const { source } = classify(object);
      return { outline: source && outline(source, density) };
    },
    named: ({ object, name }) => {
      const { source } = classify(object);
      return { definitions: source === null ? [] : namedDefinitions(source, name) };
    },
    enclosing: ({ object, line }) => {
      const { source } = classify(object);
      return source && enclosingLines(source, line);
    },
  };
}, vectorsOf);

async function measure(
  { object, chunkChars, chunkMax }: MeasureRequest,
  cut: ChunkFunction,
): Promise<MeasureResult> {
  const { source } = classify(object);
  if (source === null) return { chunks: 0, chars: 0 };
  const { chunks } = await cut({ ...source, maxChars: chunkChars, maxChunks: chunkMax });
  return {
    chunks: chunks.length,
    chars: chunks.reduce((sum, each) => sum + each.content.length, 0),
  };
}

async function train(
  { texts }: TrainRequest,
  embedder: ThreadEmbedder | null,
): Promise<Uint8Array<ArrayBuffer>> {
  if (embedder === null) throw new TroveError('internal_error', 'This thread has no embedder');
  return embedder.train(texts);
}

let lastCompiled: { readonly key: string; readonly pattern: CompiledPattern } | null = null;

/**
 * Compiles a pattern and caches the last one. A search repeats its pattern, and compiling takes longer than searching
 * many texts.
 */
function compile({ pattern, regex, ignoreCase }: PatternRequest): CompiledPattern {
  const key = JSON.stringify([pattern, regex, ignoreCase]);
  if (lastCompiled?.key !== key) {
    lastCompiled = { key, pattern: compilePattern({ pattern, regex, ignoreCase }) };
  }
  return lastCompiled.pattern;
}

/** Returns the buffers of vectors, which are transferred instead of copied. */
function vectorsOf(
  message: ComputeRequests[ComputeRequestName]['result'] | AnalyseResult,
): ArrayBuffer[] {
  if (message === null || !('rows' in message)) return [];
  const buffers = new Set<ArrayBuffer>();
  for (const { vector } of message.rows) {
    if (vector !== null && vector.buffer instanceof ArrayBuffer) buffers.add(vector.buffer);
  }
  return [...buffers];
}
