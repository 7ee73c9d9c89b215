import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';

import { problem } from './problems.js';
import { selectFields } from './select.js';
import type { AsanaWorld } from './world.js';

const maxLimit = 100;
/** More items are not listed without `limit`. */
const maxUnpaged = 1000;

type Form = Readonly<Record<string, unknown>>;

/** Answers with a page of a list in the order of the ids, reduced to the requested members. */
export function pageAnswer(
  { offsetGeneration }: AsanaWorld,
  { query, origin, path }: FakeRequest,
  forms: readonly Form[],
  compact: string,
): FakeAnswer {
  const fields = query.get('opt_fields') ?? compact;
  if (!query.has('limit')) {
    if (forms.length > maxUnpaged)
      return problem(
        400,
        'The result is too large. You should use pagination (may require specifying a workspace)!',
      );
    return { json: { data: forms.map((form) => selectFields(form, fields)) } };
  }
  const limit = Number(query.get('limit'));
  if (!(limit >= 1 && limit <= maxLimit))
    return problem(400, 'limit: Value out of range. Must be between 1 and 100.');
  const [generation, after] = (query.get('offset') ?? `${offsetGeneration}.0`).split('.');
  if (Number(generation) !== offsetGeneration)
    return problem(400, 'offset: Your pagination token has expired.');
  const rest = forms.filter(({ gid }) => Number(gid) > Number(after));
  const page = rest.slice(0, limit);
  const offset = `${offsetGeneration}.${String(page.at(-1)?.gid)}`;
  const own = new URLSearchParams(query);
  own.set('offset', offset);
  const next = `${path.replace('/api/1.0', '')}?${own.toString()}`;
  return {
    json: {
      data: page.map((form) => selectFields(form, fields)),
      next_page:
        page.length < rest.length ? { offset, path: next, uri: `${origin}/api/1.0${next}` } : null,
    },
  };
}
