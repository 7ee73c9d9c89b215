import { TroveError, type Violation } from '@trove/core';
import type { AddDocumentsRequest } from '../api/schemas.js';
import type { PassageDraft } from './draft.js';

const maxChars = 64 * 1024 * 1024;

/** Creates drafts from the documents of a request. Throws `validation_error` for lists of different lengths. */
export function createDrafts(request: AddDocumentsRequest): PassageDraft[] {
  const { documents, ids, metadatas, triplets } = request;
  const violations = [
    ...Object.entries({ ids, metadatas, triplets }).flatMap(([name, list]) =>
      checkLength(name, list, documents.length),
    ),
    ...(ids === undefined ? [] : checkIds(ids)),
  ];
  if (violations.length > 0) throw invalid(violations);
  const chars = documents.reduce((sum, { length }) => sum + length, 0);
  if (chars > maxChars) {
    throw new TroveError(
      'payload_too_large',
      `The documents have more than ${maxChars} characters`,
    );
  }
  return documents.map((text, at) => ({
    id: ids?.[at] ?? null,
    text,
    metadata: metadatas?.[at] ?? {},
    triplets: tripletsToKeep(triplets?.[at], request.extract_triplets),
  }));
}

/** Treats an empty list of triplets like a missing one if extraction is on. */
function tripletsToKeep(
  list: PassageDraft['triplets'] | undefined,
  extract: boolean,
): PassageDraft['triplets'] {
  if (list === undefined || list === null) return null;
  return list.length === 0 && extract ? null : list;
}

function checkLength(
  name: string,
  list: readonly unknown[] | null | undefined,
  length: number,
): Violation[] {
  if (list === undefined || list === null || list.length === length) return [];
  const reason = `must have one item per document (${length})`;
  return [{ path: ['body', name], reason, rule: 'length' }];
}

function checkIds(ids: readonly string[]): Violation[] {
  const violations: Violation[] = [];
  if (new Set(ids).size < ids.length) {
    violations.push({ path: ['body', 'ids'], reason: 'must be unique', rule: 'uniqueItems' });
  }
  if (ids.some((id) => !id.isWellFormed())) {
    violations.push({ path: ['body', 'ids'], reason: 'must be well-formed texts', rule: 'format' });
  }
  return violations;
}

function invalid(violations: readonly Violation[]): TroveError {
  const detail = violations.map(({ path, reason }) => `${path.join('.')}: ${reason}`).join('; ');
  return new TroveError('validation_error', detail, { violations });
}
