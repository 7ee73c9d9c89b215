import type { FieldValue } from '@trove/core';
import { setBackField } from '@trove/core/index';
import { kindOf } from '@trove/text/media-types';
import { analyze } from '@trove/text/analyzer';
import { setBackReasons, type SetBackReason } from '../api/schemas.js';
import { kinds, type Kind } from './demotion-rules.js';

/** How much of a text is looked at. */
const seenCharacters = 400;

/** Why an object ranks below equals, as its path and the beginning of its text tell; null for most. */
export function setBackReason(path: string, text: string): SetBackReason | null {
  const lower = path.toLowerCase();
  const beginning = text.slice(0, seenCharacters);
  const isProgram = kindOf(path, null, false) === 'code';
  const fits = (kind: Kind): boolean =>
    kind.path?.test(lower) === true ||
    (isProgram && kind.program?.test(path) === true) ||
    (kind.text?.test(beginning) === true && kind.butNot?.test(lower) !== true);
  return kinds.find(fits)?.reason ?? null;
}

/** The same as a field of its rows. */
export function standingFields(path: string, text: string): { [setBackField]?: SetBackReason } {
  const reason = setBackReason(path, text);
  return reason === null ? {} : { [setBackField]: reason };
}

/** The reason that a field names. */
export function reasonOf(value: FieldValue | undefined): SetBackReason | null {
  return setBackReasons.find((reason) => reason === value) ?? null;
}

/** What each term asks for. */
const reasonsByTerm = new Map<string, SetBackReason[]>();
for (const { reason, words = '' } of kinds) {
  for (const term of analyze(words))
    reasonsByTerm.set(term, [...(reasonsByTerm.get(term) ?? []), reason]);
}

/** The reasons that do not count for a query, which asks for such files. `terms`: those of its words. */
export function reasonsAskedFor(
  query: string,
  terms: readonly string[],
): ReadonlySet<SetBackReason> {
  const phrased = query.replaceAll(/\s+/g, ' ');
  const byPhrase = kinds.filter(({ question }) => question?.test(phrased) === true);
  return new Set([
    ...terms.flatMap((term) => reasonsByTerm.get(term) ?? []),
    ...byPhrase.map(({ reason }) => reason),
  ]);
}
