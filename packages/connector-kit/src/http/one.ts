import { workOf } from './children.js';
import { listingScope, plannedStream } from './pages.js';
import { defaultItems, firstPage, nextPage } from './paging.js';
import { changePage } from './request.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import { continueWork } from './work.js';

/**
 * Requests one item of a stream with its `one`, page by page if the item is in a list. Undefined if it does not exist. `values`:
 * `key` or `identity`.
 */
export async function requestItem(
  source: HttpSource,
  name: string,
  values: Run['values'],
  run: Run,
  parents: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const stream = plannedStream(source, name);
  const { one, errors, maxPages, items } = stream.description;
  if (one === undefined) return undefined;
  const own = { ...run, values: { ...run.values, ...values } };
  let work = workOf(name, parents, undefined);
  const scope = listingScope(source, stream, work, own);
  const request = source.build(one, scope);
  for (;;) {
    const current = work.page ?? firstPage(one.page);
    const paged = changePage(request, current);
    const reply = await source.client.send(paged, scope, own.signal, errors);
    if ('none' in reply) return undefined;
    const { answer } = reply;
    const item = await evaluate(one.item ?? '.', answer.body, scope);
    if (item !== undefined || one.page === undefined) return item;
    const listed = await evaluate(items ?? defaultItems(one.page), answer.body, scope);
    const next = nextPage(one.page, answer, Array.isArray(listed) ? listed : [], current);
    if (next === null) return undefined;
    work = continueWork(work, next, { host: source.host, maxPages });
  }
}
