import type { ObjectRecord, SummaryKind } from '@trove/core/store';
import { mediaTypeOf } from '@trove/text/media-types';
import type { Prompt } from '@trove/runtime';
import type { TextPieces } from '../../content/content-request.js';
import type { IngestServices } from '../tasks/process-task.js';
import { withGoneError, type TaskSource } from '../tasks/prepare-object.js';
import { imagePrompt, textPrompt } from './prompts.js';
import { describableTypes } from './summary-kind.js';

type PromptContext = Pick<IngestServices, 'contents' | 'settings'>;

/**
 * Builds the prompt for an object. Null if its content has nothing to summarize. Throws `ObjectGoneError` and the errors of
 * reading.
 */
export async function buildObjectPrompt(
  { contents, settings }: PromptContext,
  { connector, signal }: Pick<TaskSource, 'connector' | 'signal'>,
  { path, identity, size, kind: objectKind, mediaType }: ObjectRecord,
  kind: Exclude<SummaryKind, 'directory_summary'>,
): Promise<Prompt | null> {
  const object = { path, identity, size, kind: objectKind, mediaType };
  if (kind !== 'vlm_description') {
    const content = await contents.open(connector, object, 'ingest', signal);
    const maxChars = settings.summaries?.maxChars ?? 0;
    const minChars = kind === 'summary' ? (settings.summaries?.minChars ?? 0) : 0;
    const text = await withGoneError(readStart(content.text(), Math.max(maxChars + 1, minChars)));
    if (text.length < minChars || text.trim() === '') return null;
    return textPrompt(kind, text.slice(0, maxChars), text.length > maxChars);
  }
  const content = await contents.openUnconverted(connector, object, 'ingest', signal);
  if (content.form === 'records') return null;
  const held = await withGoneError(content.bytes(settings.descriptions?.maxImageBytes ?? 0));
  if (held === null) return null;
  // The image leaves the read budget. `imageCost` limits the images in memory.
  held.release();
  const { bytes } = held.object;
  const actual = mediaTypeOf('', bytes);
  return actual !== null && describableTypes.has(actual) ? imagePrompt(actual, bytes) : null;
}

/** Reads the first characters of a text. */
async function readStart(pieces: TextPieces, chars: number): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= chars) break;
  }
  return text.slice(0, chars);
}
