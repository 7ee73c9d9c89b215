import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger, TroveError, type Embedder } from '@trove/core';
import { resolveConfig } from '../plugins/config.js';
import { create } from '../plugins/create.js';
import { pluginContext } from '../plugins/context.js';
import { checkPlugin } from '../plugins/check-plugin.js';
import {
  compilePattern,
  matchLinesInTime,
  type Pattern,
  type PatternRequest,
  type TimedMatches,
} from '@trove/core/media';
import type { Call, MatchRequest, Reply, Requests, Operation, WorkerSetup } from './messages.js';
import { analyse, type Embed } from './analyse.js';
import { prepare } from './prepare.js';

/** The entry of a worker thread: answers calls one after the other. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool starts its threads with nothing else
const setup = workerData as WorkerSetup;
const { signal } = new AbortController();
const embedder = loadEmbedder();

// On Linux this lowers the thread alone: answering requests comes before indexing.
try {
  setPriority(15);
} catch {
  // Not allowed here; everything works at equal priority, too.
}

parentPort?.on('message', (call: Call) => void answer(call));

async function answer(call: Call): Promise<void> {
  try {
    const result = await run(call);
    parentPort?.postMessage({ id: call.id, ok: true, result } satisfies Reply, buffersOf(result));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ id: call.id, ok: false, message } satisfies Reply);
  }
}

function run(call: Call): Promise<Requests[Operation]['result']> | Requests[Operation]['result'] {
  if (isCall(call, 'match')) return match(call.request);
  if (isCall(call, 'prepare')) return embedder.then((own) => prepare(call.request, embedBy(own)));
  if (isCall(call, 'analyse')) return embedder.then((own) => analyse(call.request, embedBy(own)));
  throw new Error(`unknown operation ${call.operation}`);
}

function match(request: MatchRequest): TimedMatches {
  return matchLinesInTime(compiled(request), request);
}

let lastCompiled: { readonly key: string; readonly pattern: Pattern } | null = null;

/** One search asks for the same pattern again and again, and preparing it takes longer than many a text. */
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

function embedBy(own: Embedder | null): Embed | null {
  if (own === null) return null;
  return (texts, terms) => own.embed(texts, { purpose: 'document', terms, signal });
}

async function loadEmbedder(): Promise<Embedder | null> {
  if (setup.embedder === null) return null;
  const module: unknown = await import(setup.embedder.module);
  const exported: unknown =
    typeof module === 'object' && module !== null && 'default' in module ? module.default : null;
  const plugins = (Array.isArray(exported) ? (exported as unknown[]) : [exported]).map((plugin) =>
    checkPlugin(plugin, setup.embedder?.module ?? ''),
  );
  const plugin = plugins.find((candidate) => candidate.kind === 'embedder');
  if (plugin === undefined)
    throw new TroveError('plugin_invalid', `${setup.embedder.module} exports no embedder`);
  const resolved = await resolveConfig(plugin.configSchema, setup.embedder.config);
  return create(plugin, pluginContext(resolved, silentLogger, signal));
}

/** The vectors' memory, to be handed over instead of copied. */
function buffersOf(result: Requests[Operation]['result']): ArrayBuffer[] {
  if (!('rows' in result)) return [];
  const buffers = new Set<ArrayBuffer>();
  for (const { vector } of result.rows) {
    if (vector !== null && vector.buffer instanceof ArrayBuffer) buffers.add(vector.buffer);
  }
  return [...buffers];
}
