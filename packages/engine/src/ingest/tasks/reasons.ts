import { conversionHint } from '../../content/legacy-office.js';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';

export function notTextReason(path: string): string {
  const how = conversionHint(path);
  return how === null ? 'not a text' : `in a format of Office up to 2003; ${how}`;
}

/** Warns about an encoding that was guessed. */
export function guessReason(encoding: string | null): string | null {
  if (encoding === null) return null;
  return `its encoding was guessed: ${encoding}; a rule in [[objects]] with another \`encoding\` corrects it`;
}

export function truncationReason({ chunkMax }: ObjectPlan): string {
  return `only its first ${chunkMax} chunks are searchable`;
}

export function recordTruncationReason({ chunkMax }: ObjectPlan, truncated: number): string {
  const which = truncated === 1 ? 'one of its records' : `${truncated} of its records`;
  return `of ${which}, only the first ${chunkMax} chunks are searchable`;
}
