import type { FieldValue } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';
import { kindOf } from '@trove/text/media-types';
import { analyze } from '@trove/text/analyzer';
import { demotedReasons, type DemotedReason } from '../api/schemas.js';
import { demotionRules, type DemotionRule } from './demotion-rules.js';

/** Characters of a text that are matched. */
const maxTextChars = 400;

/** Returns why an object is demoted, from its path and the beginning of its text. Null for most objects. */
export function demotedReasonOfPath(path: string, text: string): DemotedReason | null {
  const lower = path.toLowerCase();
  const beginning = text.slice(0, maxTextChars);
  const isProgram = kindOf(path, null, false) === 'code';
  const matches = (rule: DemotionRule): boolean =>
    rule.path?.test(lower) === true ||
    (isProgram && rule.codePath?.test(path) === true) ||
    (rule.text?.test(beginning) === true && rule.exceptPath?.test(lower) !== true);
  return demotionRules.find(matches)?.reason ?? null;
}

/** Returns the demotion as a field of the object's rows. */
export function demotionFields(
  path: string,
  text: string,
): { [demotedReasonField]?: DemotedReason } {
  const reason = demotedReasonOfPath(path, text);
  return reason === null ? {} : { [demotedReasonField]: reason };
}

/** Parses a row's field. Returns null for unknown values. */
export function toDemotedReason(value: FieldValue | undefined): DemotedReason | null {
  return demotedReasons.find((reason) => reason === value) ?? null;
}

/** The reasons that each query term requests. */
const reasonsByTerm = new Map<string, DemotedReason[]>();
for (const { reason, queryWords = '' } of demotionRules) {
  for (const term of analyze(queryWords))
    reasonsByTerm.set(term, [...(reasonsByTerm.get(term) ?? []), reason]);
}

/**
 * Returns the reasons that do not demote because the query asks for such objects. `terms` are the terms of the query.
 */
export function requestedReasons(
  query: string,
  terms: readonly string[],
): ReadonlySet<DemotedReason> {
  const text = query.replaceAll(/\s+/g, ' ');
  const matching = demotionRules.filter(({ queryPattern }) => queryPattern?.test(text) === true);
  return new Set([
    ...terms.flatMap((term) => reasonsByTerm.get(term) ?? []),
    ...matching.map(({ reason }) => reason),
  ]);
}
