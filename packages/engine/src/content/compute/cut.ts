import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTroveError, messageOf, TroveError } from '@trove/core';
import { chunkText, type Chunked, type ChunkInput } from '../chunking/index.js';
import type { Chunker, ChunkerModule } from '../chunking/chunker.js';
import { chunksOf } from './pieces.js';

/** Cuts a text into chunks. */
export type Cut = (input: ChunkInput) => Promise<Chunked>;

/** With the application's chunker, if it has one and it cuts such a text; else by structure. */
export function cutWith(chunker: ChunkerModule | null): Cut {
  if (chunker === null) return async (input) => chunkText(input);
  const loading = importChunker(chunker);
  loading.catch(() => undefined);
  return async (input) => {
    const own = await loading;
    return piecesOf(own, input) ?? chunkText(input);
  };
}

/** Throws `config_invalid` when the module cannot be imported or exports no chunker. */
export async function importChunker({ module }: ChunkerModule): Promise<Chunker> {
  try {
    const exported: unknown = await import(
      isAbsolute(module) ? pathToFileURL(module).href : module
    );
    const chunker = defaultOf(exported);
    if (isChunker(chunker)) return chunker;
  } catch (cause) {
    throw unusable(module, messageOf(cause), cause);
  }
  throw unusable(module, 'its default export has no method `cut`');
}

function piecesOf(chunker: Chunker, input: ChunkInput): Chunked | null {
  try {
    const { maxChunks, parts, ...text } = input;
    const pieces = chunker.cut(text);
    return pieces === null ? null : chunksOf(pieces, input);
  } catch (cause) {
    if (isTroveError(cause)) throw cause;
    throw wrong(wordsOf(cause));
  }
}

function defaultOf(exported: unknown): unknown {
  return typeof exported === 'object' && exported !== null && 'default' in exported
    ? exported.default
    : undefined;
}

function isChunker(value: unknown): value is Chunker {
  return (
    typeof value === 'object' && value !== null && 'cut' in value && typeof value.cut === 'function'
  );
}

function unusable(module: string, problem: string, cause?: unknown): TroveError {
  return new TroveError('config_invalid', `override: the chunker ${module}: ${problem}`, { cause });
}

function wrong(problem: string): TroveError {
  return new TroveError('plugin_invalid', `chunker: ${problem}`);
}

/** Of whatever was thrown, which may throw when it is looked at. */
function wordsOf(thrown: unknown): string {
  try {
    return messageOf(thrown);
  } catch {
    return 'it threw something that cannot be read';
  }
}
