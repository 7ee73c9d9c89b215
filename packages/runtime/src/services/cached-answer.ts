import { TroveError } from '@trove/core';
import type { Completion } from '@trove/core/model';

/** An answer as the cache stores it. */
export interface CachedAnswer {
  readonly text: string;
  /** The work for which it was requested. */
  readonly workId: string;
}

export function encodeAnswer(answer: CachedAnswer): Uint8Array {
  return Buffer.from(JSON.stringify(answer));
}

/** Decodes an answer. Returns null if it is missing or invalid. */
export function parseAnswer(bytes: Uint8Array | undefined): CachedAnswer | null {
  if (bytes === undefined) return null;
  try {
    const { text, workId }: Partial<Record<keyof CachedAnswer, unknown>> = Object(
      JSON.parse(Buffer.from(bytes).toString('utf8')),
    );
    return typeof text === 'string' && typeof workId === 'string' ? { text, workId } : null;
  } catch {
    return null;
  }
}

/** Validates the result of a language model. Throws `plugin_invalid`. */
export function checkCompletion(made: Completion): Completion {
  const { text, truncated, usage }: Partial<Record<keyof Completion, unknown>> = Object(made);
  if (typeof text !== 'string' || text.trim() === '') throw invalid('`text` must not be blank');
  if (typeof truncated !== 'boolean') throw invalid('`truncated` must be true or false');
  if (usage !== null && !isUsage(usage))
    throw invalid('`usage` must be null or have the whole numbers `input` and `output`');
  return { text, truncated, usage };
}

/** Validates a piece that a language model streams. Throws `plugin_invalid`. */
export function checkPiece(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  throw invalid('`onText` must receive texts');
}

function isUsage(usage: unknown): usage is Completion['usage'] & object {
  const { input, output }: { input?: unknown; output?: unknown } = Object(usage);
  return isCount(input) && isCount(output);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function invalid(problem: string): TroveError {
  return new TroveError('plugin_invalid', `The language model: complete: ${problem}`);
}
