import type { Infer } from '@trove/core';
import { queryStemTerms, queryTerms } from '@trove/text/analyzer';
import { maxSearchOffset, type SearchResponse, type searchQuerySchema } from '../../api/schemas.js';
import { selectMembers } from './hit-members.js';
import { shortenHit } from './passage.js';
import { limitResponse } from './response-limit.js';
import type { SpelledQuery } from './spelling.js';
import { mergeForms } from './word-forms.js';

type PresentationQuery = Pick<Infer<typeof searchQuerySchema>, 'snippet' | 'max_bytes' | 'offset'>;

/** Returns the part of a response that states the spelling correction, if there is one. */
export function correctionOf({
  text,
  corrections,
}: SpelledQuery): Pick<SearchResponse, 'metadata'> {
  if (corrections.length === 0) return {};
  return { metadata: { showing_results_for: text, corrections: [...corrections] } };
}

/** Shortens the hits to passages, selects their members and limits the response, as the query requests. */
export function presentResponse(
  response: SearchResponse,
  { snippet = Infinity, max_bytes: maxBytes = Infinity, offset }: PresentationQuery,
  { text, forms }: SpelledQuery,
  members: ReadonlySet<string> | null,
): SearchResponse {
  const isLimited = snippet < Infinity || maxBytes < Infinity;
  if (!isLimited && members === null) return response;
  // Whole hits need no terms, and analyzing the query for every language takes a tenth of a millisecond.
  const passageQuery = isLimited
    ? { terms: queryTerms(text).terms, forms: mergeForms(queryStemTerms(text), forms) }
    : null;
  return limitResponse(response, {
    maxBytes,
    offset,
    maxOffset: maxSearchOffset,
    present: (hit, maxChars) => {
      const passage =
        passageQuery === null ? hit : shortenHit(hit, passageQuery, Math.min(snippet, maxChars));
      return members === null ? passage : selectMembers(passage, members);
    },
  });
}
