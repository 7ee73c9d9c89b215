import { TroveError, type Violation } from '@trove/core';
import type { AddDocumentsRequest } from '../api/schemas.js';
import type { Draft } from './draft.js';

const maxChars = 64 * 1024 * 1024;

/** The documents of a request as drafts. Throws `validation_error` for lists that do not fit together. */
export function documentDrafts(request: AddDocumentsRequest): Draft[] {
  const { documents, ids, metadatas, triplets } = request;
  const violations = [
    ...Object.entries({ ids, metadatas, triplets }).flatMap(([name, list]) =>
      otherLength(name, list, documents.length),
    ),
    ...(ids === undefined ? [] : badIds(ids)),
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
    triplets: givenTriplets(triplets?.[at], request.extract_triplets),
  }));
}

/** With extraction, a document whose list is empty has its triplets extracted like one without a list. */
function givenTriplets(given: Draft['triplets'] | undefined, extract: boolean): Draft['triplets'] {
  if (given === undefined || given === null) return null;
  return given.length === 0 && extract ? null : given;
}

function otherLength(
  name: string,
  list: readonly unknown[] | null | undefined,
  wanted: number,
): Violation[] {
  if (list === undefined || list === null || list.length === wanted) return [];
  const reason = `must have as many items as documents (${wanted})`;
  return [{ at: ['body', name], reason, rule: 'length' }];
}

function badIds(ids: readonly string[]): Violation[] {
  const violations: Violation[] = [];
  if (new Set(ids).size < ids.length) {
    violations.push({ at: ['body', 'ids'], reason: 'must be unique', rule: 'uniqueItems' });
  }
  if (ids.some((id) => !id.isWellFormed())) {
    violations.push({ at: ['body', 'ids'], reason: 'must be well-formed texts', rule: 'format' });
  }
  return violations;
}

function invalid(violations: readonly Violation[]): TroveError {
  const detail = violations.map(({ at, reason }) => `${at.join('.')}: ${reason}`).join('; ');
  return new TroveError('validation_error', detail, { violations });
}
