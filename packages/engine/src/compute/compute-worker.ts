import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { isTroveError, silentLogger, TroveError, type Embedder } from '@trove/core';
import {
  compilePattern,
  matchLinesInTime,
  type Pattern,
  type PatternRequest,
  type TimedMatches,
} from '@trove/core/grep';
import {
  checkedVectors,
  checkPlugin,
  create,
  keysOf,
  pluginContext,
  pluginError,
  type Redact,
  redactor,
  resolveConfig,
} from '@trove/runtime';
import type {
  Call,
  MatchRequest,
  Operation,
  OutlineRequest,
  OutlineResult,
  Reply,
  Requests,
  Stray,
  WorkerSetup,
} from './messages.js';
import { outline } from '../chunking/index.js';
import { analyse, type Embed } from './analyse.js';
import { prepare } from './prepare.js';

/** The entry point of a worker thread: answers calls one at a time. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool starts its threads with nothing else
const setup = workerData as WorkerSetup;
const { signal } = new AbortController();
let redact: Redact = redactor([]);
const loading = loadEmbedder();
// Every call that needs it reports why it failed.
loading.catch(() => undefined);

// Errors that a plugin leaves unhandled belong to no call: the thread continues.
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error: unknown) => {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ stray: redact(said).slice(0, 2000) } satisfies Stray);
  });

// On Linux this lowers only this thread: answering requests takes precedence over indexing.
try {
  setPriority(15);
} catch {
  // Not permitted here; equal priority works too.
}

parentPort?.on('message', (call: Call) => void answer(call));

async function answer(call: Call): Promise<void> {
  try {
    const result = await run(call);
    parentPort?.postMessage({ id: call.id, ok: true, result } satisfies Reply, buffersOf(result));
  } catch (error) {
    const message = redact(error instanceof Error ? error.message : error);
    const { code, retryable } = isTroveError(error) ? error : unforeseen;
    parentPort?.postMessage({ id: call.id, ok: false, code, message, retryable } satisfies Reply);
  }
}

const unforeseen = { code: 'internal_error', retryable: false } as const;

function run(call: Call): Promise<Requests[Operation]['result']> | Requests[Operation]['result'] {
  if (isCall(call, 'match')) return match(call.request);
  if (isCall(call, 'outline')) return outlined(call.request);
  if (isCall(call, 'prepare')) return loading.then((own) => prepare(call.request, embedBy(own)));
  if (isCall(call, 'analyse')) return loading.then((own) => analyse(call.request, embedBy(own)));
  throw new Error(`unknown operation ${call.operation}`);
}

function match(request: MatchRequest): TimedMatches {
  return matchLinesInTime(compiled(request), request);
}

function outlined({ text, kind, mediaType, density }: OutlineRequest): OutlineResult {
  return { outline: outline(text, kind, mediaType, density) };
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

function isCall<O extends Operation>(call: Call, operation: O): call is Call<O> {
  return call.operation === operation;
}

interface OwnEmbedder {
  readonly embedder: Embedder;
  readonly name: string;
  readonly dimension: number;
}

function embedBy(own: OwnEmbedder | null): Embed | null {
  if (own === null) return null;
  return async (texts, terms) => {
    try {
      const vectors = await own.embedder.embed(texts, { purpose: 'document', terms, signal });
      return checkedVectors(vectors, texts.length, own.dimension).map(ownBuffer);
    } catch (error) {
      throw embedError(error, own.name);
    }
  };
}

/** An error without a code may not recur, so it is retryable. */
function embedError(thrown: unknown, name: string): TroveError {
  const error = pluginError(thrown, 'embed', { name, errorCode: 'internal_error', redact });
  if (error.code !== 'internal_error') return error;
  return new TroveError('embedding_unavailable', error.message, { cause: error, retryable: true });
}

/** A part of a larger buffer cannot be transferred: the embedder still uses the rest. */
function ownBuffer(vector: Float32Array | null): Float32Array | null {
  return vector?.byteLength === vector?.buffer.byteLength ? vector : (vector?.slice() ?? null);
}

async function loadEmbedder(): Promise<OwnEmbedder | null> {
  if (setup.embedder === null) return null;
  const { module: file, provider, dimension, config } = setup.embedder;
  const module: unknown = await import(file);
  const exported: unknown =
    typeof module === 'object' && module !== null && 'default' in module ? module.default : null;
  const plugins = [exported].flat().map((plugin) => checkPlugin(plugin, file));
  const plugin = plugins.find(
    (candidate) => candidate.kind === 'embedder' && keysOf(candidate).includes(provider),
  );
  if (plugin?.kind !== 'embedder')
    throw new TroveError('plugin_invalid', `${file} exports no embedder for \`${provider}\``);
  const resolved = await resolveConfig(plugin.configSchema, config);
  redact = redactor(resolved.secrets);
  const embedder = await create(plugin, pluginContext(resolved, silentLogger, signal));
  return { embedder, name: `embedder ${provider}`, dimension };
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
