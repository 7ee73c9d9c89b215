import type { FieldValue } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';
import { kindOf } from '@trove/text/media-types';
import { analyze } from '@trove/text/analyzer';
import { demotedReasons, type DemotedReason } from '../api/schemas.js';
import { demotionRules, type DemotionRule } from './demotion-rules.js';

/** How much of a text is looked at. */
const maxTextChars = 400;

/** Why an object ranks below equals, as its path and the beginning of its text tell; null for most. */
export function demotedReasonOfPath(path: string, text: string): DemotedReason | null {
  const lower = path.toLowerCase();
  const beginning = text.slice(0, maxTextChars);
  const isProgram = kindOf(path, null, false) === 'code';
  const fits = (kind: DemotionRule): boolean =>
    kind.path?.test(lower) === true ||
    (isProgram && kind.codePath?.test(path) === true) ||
    (kind.text?.test(beginning) === true && kind.exceptPath?.test(lower) !== true);
  return demotionRules.find(fits)?.reason ?? null;
}

/** The same as a field of its rows. */
export function demotionFields(
  path: string,
  text: string,
): { [demotedReasonField]?: DemotedReason } {
  const reason = demotedReasonOfPath(path, text);
  return reason === null ? {} : { [demotedReasonField]: reason };
}

/** The reason that a field names. */
export function toDemotedReason(value: FieldValue | undefined): DemotedReason | null {
  return demotedReasons.find((reason) => reason === value) ?? null;
}

/** What each term asks for. */
const reasonsByTerm = new Map<string, DemotedReason[]>();
for (const { reason, queryWords: words = '' } of demotionRules) {
  for (const term of analyze(words))
    reasonsByTerm.set(term, [...(reasonsByTerm.get(term) ?? []), reason]);
}

/** The reasons that do not count for a query, which asks for such files. `terms`: those of its words. */
export function requestedReasons(
  query: string,
  terms: readonly string[],
): ReadonlySet<DemotedReason> {
  const phrased = query.replaceAll(/\s+/g, ' ');
  const byPhrase = demotionRules.filter(
    ({ queryPattern: question }) => question?.test(phrased) === true,
  );
  return new Set([
    ...terms.flatMap((term) => reasonsByTerm.get(term) ?? []),
    ...byPhrase.map(({ reason }) => reason),
  ]);
}
