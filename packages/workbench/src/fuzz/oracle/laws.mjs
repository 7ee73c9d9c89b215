import { Violation } from '../findings.mjs';

/** The number of items of a response that are checked in detail. */
const lookedAt = 4;

/**
 * Relations between a response and other requests, by operation. `ask(path, query)` resolves with `{ status, body }`.
 * `gone(uri)` returns whether a source may have been removed in the meantime.
 */
export const laws = { search: searchLaw, grep: grepLaw, ls: lsLaw };

async function searchLaw({ body, query, ask, gone }) {
  const { results } = body;
  const scores = results.map(({ score }) => score);
  if (scores.some((score) => score !== null && !(score >= 0 && score <= 1))) {
    throw new Violation('law search score', `a score outside 0..1: ${scores.join(', ')}`);
  }
  if (scores.some((score, at) => at > 0 && score > scores[at - 1])) {
    throw new Violation('law search order', `not best first: ${scores.join(', ')}`);
  }
  const wanted = Number(query.top_k ?? 10);
  if (results.length > wanted) {
    throw new Violation('law search top_k', `${results.length} hits instead of ${wanted}`);
  }
  if (isTrue(query.collapse)) unique(results);
  if (results.some((hit) => 'explanation' in hit !== isTrue(query.explain))) {
    throw new Violation('law search explain', 'explained differently than requested');
  }
  for (const { source, locator, content } of spread(results)) {
    await reopens('search', { source, locator, content, ask, gone });
  }
}

function unique(results) {
  const sources = results.map(({ source }) => source);
  if (new Set(sources).size < sources.length) {
    throw new Violation('law search collapse', 'collapsed hits share a source');
  }
}

async function grepLaw({ body, query, ask, gone }) {
  const limit = Number(query.limit ?? 1000);
  const matches = body.results.filter(({ via }) => via !== 'notice');
  if (matches.length > limit) {
    throw new Violation('law grep limit', `${matches.length} matches instead of ${limit}`);
  }
  for (const { source, locator, content } of spread(matches)) {
    if (locator === null) continue;
    const whole = isTrue(query.only_matching) ? content.split('\n')[0] : content;
    await reopens('grep', {
      source,
      locator,
      content: shortened(content) ? '' : whole,
      ask,
      gone,
    });
  }
}

function isTrue(value) {
  return value === 'true' || value === '1';
}

/** Long lines are shortened. */
function shortened(content) {
  return content.includes('…');
}

async function lsLaw({ body, ask, gone }) {
  for (const entry of spread(body.entries)) {
    if (entry.path === null) continue;
    if (entry.type === 'dir') {
      const { status } = await ask('/v1/ls', { path: entry.path });
      if (status !== 200 && !gone(entry.path) && entry.reason === null) {
        throw new Violation(
          'law ls dir',
          `${entry.path} is listed, and ls of it answers ${status}`,
        );
      }
      continue;
    }
    const { status, body: answer } = await ask('/v1/head', { path: entry.path, n: 1 });
    // Access to a file may be denied after it was indexed.
    const isForbidden = entry.search_status === 'indexed' && answer?.code === 'path_not_allowed';
    const explained = entry.reason !== null || entry.indexable === false || isForbidden;
    // The first line may be longer than the maximum response.
    const isLong = status === 400 && answer?.code === 'object_too_large_for_cat';
    if (status === 200 || isLong || explained || gone(entry.path)) continue;
    throw new Violation(
      'law ls file',
      `${entry.path} is listed without a reason, and head of it answers ${answer?.code}`,
      { entry, answer },
    );
  }
}

async function reopens(what, { source, locator, content, ask, gone }) {
  const query = { path: source, ...(locator === null ? {} : { locator: JSON.stringify(locator) }) };
  const { status, body } = await ask('/v1/cat', query);
  if (gone(source)) return;
  if (status === 400 && body.code === 'object_too_large_for_cat') return;
  // Access to a file may be denied after it was indexed.
  if (what === 'search' && body.code === 'path_not_allowed') return;
  if (status !== 200) {
    throw new Violation(`law ${what} reopens`, `cat of a result answers ${status} ${body?.code}`, {
      query,
    });
  }
  if (body.content.includes(content) || body.content.includes(content.trim())) return;
  throw new Violation(`law ${what} content`, 'cat of a result does not hold its content', {
    query,
    content,
    read: body.content.slice(0, 2000),
  });
}

function spread(items) {
  const step = Math.max(1, Math.ceil(items.length / lookedAt));
  return items.filter((_, at) => at % step === 0);
}
