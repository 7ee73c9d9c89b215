import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTroveError, messageOf, TroveError } from '@trove/core';
import { chunkText, type ChunkResult, type ChunkInput } from '../chunking/index.js';
import type { Chunker, ChunkerModule } from '../chunking/chunker.js';
import { chunksOf } from './chunk-ranges.js';

/** Splits a text into chunks. */
export type ChunkFunction = (input: ChunkInput) => Promise<ChunkResult>;

/** Splits by the application's chunker. Texts that it leaves to the engine are split by structure. */
export function createChunkFunction(chunker: ChunkerModule | null): ChunkFunction {
  if (chunker === null) return async (input) => chunkText(input);
  const loading = importChunker(chunker);
  loading.catch(() => undefined);
  return async (input) => {
    const customChunker = await loading;
    return piecesOf(customChunker, input) ?? chunkText(input);
  };
}

/** Throws `config_invalid` if the module cannot be imported or exports no chunker. */
export async function importChunker({ module }: ChunkerModule): Promise<Chunker> {
  try {
    const exported: unknown = await import(
      isAbsolute(module) ? pathToFileURL(module).href : module
    );
    const chunker = defaultOf(exported);
    if (isChunker(chunker)) return chunker;
  } catch (error) {
    throw unusableChunker(module, messageOf(error), error);
  }
  throw unusableChunker(module, 'its default export has no method `split`');
}

function piecesOf(chunker: Chunker, input: ChunkInput): ChunkResult | null {
  try {
    const { maxChunks, parts, ...text } = input;
    const pieces = chunker.split(text);
    return pieces === null ? null : chunksOf(pieces, input);
  } catch (error) {
    if (isTroveError(error)) throw error;
    throw invalidResult(describeThrown(error));
  }
}

function defaultOf(exported: unknown): unknown {
  return typeof exported === 'object' && exported !== null && 'default' in exported
    ? exported.default
    : undefined;
}

function isChunker(value: unknown): value is Chunker {
  return (
    typeof value === 'object' &&
    value !== null &&
    'split' in value &&
    typeof value.split === 'function'
  );
}

function unusableChunker(module: string, problem: string, cause?: unknown): TroveError {
  return new TroveError('config_invalid', `override: the chunker ${module}: ${problem}`, { cause });
}

function invalidResult(problem: string): TroveError {
  return new TroveError('plugin_invalid', `chunker: ${problem}`);
}

/** Formats a thrown value, even one that throws when it is read. */
function describeThrown(thrown: unknown): string {
  try {
    return messageOf(thrown);
  } catch {
    return 'it threw a value that cannot be read';
  }
}
