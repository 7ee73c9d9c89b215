import { isTroveError, TroveError } from '@trove/core';
import type { TroveOperations } from 'trove';
import { normalizeArguments } from './arguments.js';
import { remediesOf } from './remedies.js';
import type { RawArguments, Tool, ToolAnswer } from './tool.js';

/** The result of a call in the form of the protocol. */
export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

export interface CallLimits {
  readonly engine: TroveOperations;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number;
}

/** Calls a tool. An error of Trove is a result for the model. Rejects with the reason of an aborted signal. */
export async function callTool(
  tool: Tool,
  raw: RawArguments,
  { engine, signal: disconnected, timeoutMs }: CallLimits,
): Promise<ToolResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([disconnected, timeout]);
  try {
    signal.throwIfAborted();
    const { args, ignored } = normalizeArguments(tool, raw);
    const answered = await untilAborted(
      tool.call(args, { engine, signal, now: Date.now() }),
      signal,
    );
    return toResult(answered, ignored);
  } catch (error) {
    disconnected.throwIfAborted();
    if (timeout.aborted) return toError(tooSlow(tool, timeoutMs));
    if (isTroveError(error)) return toError(error);
    throw error;
  }
}

/** Rejects on abort, even if the call ignores its signal. */
async function untilAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    call.then(resolve, reject);
  });
}

function toResult({ text, data }: ToolAnswer, ignored: readonly string[]): ToolResult {
  const note = ignored.length === 0 ? '' : `Note: unknown arguments: ${ignored.join(', ')}.\n`;
  return { content: [{ type: 'text', text: `${note}${text}` }], structuredContent: { ...data } };
}

function toError(error: TroveError): ToolResult {
  const text = [`${error.code}: ${error.message}`, ...remediesOf(error)].join('\n');
  return { content: [{ type: 'text', text }], isError: true };
}

function tooSlow({ name }: Tool, timeoutMs: number): TroveError {
  return new TroveError('timed_out', `${name} took longer than ${timeoutMs / 1000} s`);
}
