import { TroveError } from '@trove/core';
import { findNearest } from '@trove/runtime';
import { resultEnvelopeSchema, type ResultEnvelope } from '../../api/schemas.js';

const ownMembers = ['source', 'content', 'score', 'locator'] as const;
const metadataMembers = Object.keys(resultEnvelopeSchema.properties.metadata.properties);
const allMembers: readonly string[] = [...ownMembers, ...metadataMembers];

/** Parses a comma-separated list of members. Throws `validation_error` for an unknown name. */
export function parseMembers(text: string): ReadonlySet<string> {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !allMembers.includes(name));
  if (unknown === undefined && names.length > 0) return new Set(names);
  const nearest = unknown === undefined ? null : findNearest(unknown, allMembers);
  throw new TroveError(
    'validation_error',
    `fields: must be a comma-separated list of ${allMembers.join(', ')}`,
    { suggestions: nearest === null ? [] : [`Did you mean \`${nearest}\`?`] },
  );
}

/**
 * Returns a hit with only these members and its explanation, without `metadata` if it would be empty. Its type is that
 * of whole hits, because callers with types do not select members.
 */
export function selectMembers(hit: ResultEnvelope, members: ReadonlySet<string>): ResultEnvelope;
export function selectMembers(
  { metadata, explanation, ...own }: Pick<ResultEnvelope, 'metadata' | 'explanation'>,
  members: ReadonlySet<string>,
): object {
  const select = (value: object): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => members.has(name)));
  const selected = select(metadata);
  const isEmpty = Object.keys(selected).length === 0;
  return {
    ...select(own),
    ...(isEmpty ? {} : { metadata: selected }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}
