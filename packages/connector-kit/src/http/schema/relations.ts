import type { HttpDescription, StreamDescription } from '../description/index.js';
import { ancestorsOf } from '../plan.js';
import { isAddressed } from '../request.js';

/** Placeholders of the scope. A stream with such a name could not be named in a text. */
const reservedNames: ReadonlySet<string> = new Set([
  'config',
  'target',
  'secret',
  'item',
  'since',
  'until',
  'key',
  'thread',
  'identity',
  'token',
  'pattern',
  'given',
]);

/** Returns the problems of a description in the relations of its streams and objects. */
export function relationProblems(description: HttpDescription): string[] {
  const { streams, objects = {}, lookups = {} } = description;
  if (Object.keys(streams).length === 0) return ['`streams` must not be empty'];
  const found = Object.entries(streams).flatMap(([name, stream]) =>
    streamProblems(name, stream, description).map((each) => `\`streams.${name}\` ${each}`),
  );
  for (const [name, { batch, items }] of Object.entries(lookups))
    if (batch !== undefined && items === undefined)
      found.push(`\`lookups.${name}\` needs \`items\` for its batches`);
  for (const [name, { for: parent }] of Object.entries(objects)) {
    if (parent !== undefined && streams[parent] === undefined)
      found.push(`\`objects.${name}.for\` names no stream: ${parent}`);
    if (parent !== undefined && streams[parent]?.in !== undefined)
      found.push(`\`objects.${name}.for\` names a stream of records: ${parent}`);
    if (!Object.values(streams).some((stream) => stream.in === name))
      found.push(`\`objects.${name}\` has no stream with \`in: '${name}'\``);
  }
  return found;
}

function streamProblems(
  name: string,
  stream: StreamDescription,
  { streams, objects = {} }: HttpDescription,
): string[] {
  const found: string[] = [];
  const { for: parent, in: object, key, document, read, sameAs, incremental } = stream;
  if (reservedNames.has(name)) found.push('has the name of a placeholder');
  if (stream.get !== undefined && stream.post !== undefined)
    found.push('has both `get` and `post`');
  if (!isAddressed(stream)) found.push('needs `get`, `post` or `graphql`');
  if (parent !== undefined && streams[parent] === undefined)
    found.push(`has an unknown parent: ${parent}`);
  if (hasCycle(name, streams)) found.push('is its own parent');
  if ((object === undefined) !== (key === undefined))
    found.push('needs both `in` and `key` for records');
  if (object !== undefined && document !== undefined) found.push('has both records and documents');
  if ((document === undefined) !== (read === undefined))
    found.push('needs both `document` and `read`');
  if (stream.count !== undefined && parent === undefined) found.push('needs `for` with `count`');
  if (stream.endsThread !== undefined && stream.isGone === undefined)
    found.push('needs `isGone` with `endsThread`');
  if (sameAs !== undefined && streams[sameAs]?.in !== object)
    found.push('has a `sameAs` in another object');
  const outer = object === undefined ? undefined : objects[object]?.for;
  if (outer !== undefined && !ancestorsOf(name, streams).includes(outer))
    found.push(`must be for \`${outer}\`, directly or not, like its object`);
  if (incremental?.by === 'feed' && parent !== undefined)
    found.push('has a change feed, but also a parent');
  const children = Object.keys(streams).filter((each) => streams[each]?.for === name);
  if (incremental?.by === 'feed' && children.length > 0)
    found.push(`has a change feed, but also child streams: ${children.join(', ')}`);
  const others = incremental?.by === 'window' ? otherStreams(name, object, streams) : [];
  if (others.length > 0)
    found.push(
      `has a window, which finds no deletions because its object has other streams: ${others.join(', ')}`,
    );
  if (incremental?.by === 'feed' && document !== undefined && document.identity === undefined)
    found.push('needs `document.identity` for its change feed');
  if (incremental?.by === 'feed' && incremental.item === undefined && stream.one === undefined)
    found.push('needs `one` or `incremental.item` for its change feed');
  if (
    incremental?.by === 'export' &&
    (typeof stream.page !== 'object' || stream.page.by !== 'cursor')
  )
    found.push('needs the paging `cursor` for its export');
  if (document?.tree !== undefined) found.push(...treeProblems(document, streams));
  return found;
}

/** Returns the streams that add other records to the object of a stream. */
function otherStreams(
  name: string,
  object: string | undefined,
  streams: HttpDescription['streams'],
): string[] {
  return Object.keys(streams).filter((each) => {
    const { in: own, sameAs } = streams[each] ?? {};
    return each !== name && own !== undefined && own === object && sameAs !== name;
  });
}

function treeProblems(
  { tree, identity }: NonNullable<StreamDescription['document']>,
  streams: HttpDescription['streams'],
): string[] {
  const folders = streams[tree?.folders ?? ''];
  const found = identity === undefined ? ['needs `document.identity` for its tree'] : [];
  if (folders === undefined) found.push(`has an unknown stream of folders: ${tree?.folders}`);
  else if (folders.for !== undefined) found.push('has a stream of folders with a parent');
  return found;
}

function hasCycle(name: string, streams: HttpDescription['streams']): boolean {
  const passed = new Set([name]);
  for (let parent = streams[name]?.for; parent !== undefined; parent = streams[parent]?.for) {
    if (passed.has(parent)) return parent === name;
    passed.add(parent);
  }
  return false;
}
