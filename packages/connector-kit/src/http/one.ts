import { listingScope, plannedStream } from './pages.js';
import { workOf } from './children.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';

/** Requests one item of a stream with its `one`. Undefined if it does not exist. `values`: `key` or `identity`. */
export async function requestItem(
  source: HttpSource,
  name: string,
  values: Run['values'],
  run: Run,
  parents: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const stream = plannedStream(source, name);
  const { one, errors } = stream.description;
  if (one === undefined) return undefined;
  const own = { ...run, values: { ...run.values, ...values } };
  const scope = listingScope(source, stream, workOf(name, parents, undefined), own);
  const reply = await source.send(one, scope, own, errors);
  return 'none' in reply ? undefined : evaluate(one.item ?? '.', reply.answer.body, scope);
}
