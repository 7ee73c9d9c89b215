import type { Entry } from '@trove/core';

import type {
  DocumentMapping,
  ExportDescription,
  Scope,
  StreamDescription,
  Text,
} from './description/index.js';
import { isTruthy, isRecord, textOf } from './json.js';
import type { PlannedObject } from './plan.js';
import { evaluateAll, fieldValues, textMember } from './records.js';
import { evaluate, renderText } from './template.js';
import { timeOf } from './times.js';

/** Makes the entry of an object of records. `item` is the item of the stream that lists the objects, if there is one. */
export async function objectEntry(
  object: PlannedObject,
  item: unknown,
  scope: Scope,
): Promise<Entry> {
  const {
    path,
    for: _for,
    kind: _kind,
    countEvery: _every,
    fields = {},
    ...values
  } = object.description;
  const found = await evaluateAll(values, item, scope);
  return {
    path: pathOf(path, { ...scope, item }),
    kind: object.kind,
    size: null,
    modifiedAt: timeOf(found['modifiedAt']) ?? null,
    fingerprint: null,
    keyFields: object.keyFields,
    ...(await commonMembers(found, fields, item, scope)),
  };
}

/** Makes the entry of a document. `folder`: the path of its folder. */
export async function documentEntry(
  { document, read }: Pick<StreamDescription, 'read'> & { readonly document: DocumentMapping },
  item: unknown,
  scope: Scope,
  folder: string,
): Promise<Entry> {
  const { path, tree: _tree, fields = {}, ...values } = document;
  const found = await evaluateAll(values, item, scope);
  const modifiedAt = timeOf(found['modifiedAt']) ?? null;
  const size = Number(textOf(found['size']) ?? Number.NaN);
  const type = textOf(found['mediaType']);
  const exported = exportOf(read, type);
  const skip = found['skip'] ?? exported?.skip;
  const name = pathOf(path, { ...scope, item }) + (exported?.extension ?? '');
  const isExact = exported === undefined && Number.isSafeInteger(size) && size >= 0;
  return {
    path: folder === '' ? name : `${folder}/${name}`,
    size: isExact ? size : null,
    modifiedAt,
    fingerprint: textOf(found['fingerprint']) ?? (modifiedAt === null ? null : String(modifiedAt)),
    ...textMember('mediaType', exported?.mediaType ?? type),
    ...(await commonMembers({ ...found, skip }, fields, item, scope)),
  };
}

/** Returns the request for items of a media type, if they are exported. */
export function exportOf(
  read: StreamDescription['read'],
  type: string | undefined,
): ExportDescription | undefined {
  const exports = read?.exports ?? {};
  return type !== undefined && Object.hasOwn(exports, type) ? exports[type] : undefined;
}

async function commonMembers(
  found: Readonly<Record<string, unknown>>,
  fields: NonNullable<DocumentMapping['fields']>,
  item: unknown,
  scope: Scope,
): Promise<Partial<Entry>> {
  const named =
    typeof fields === 'object'
      ? await evaluateAll(fields, item, scope)
      : await evaluate(fields, item, scope);
  const values = isRecord(named) ? fieldValues(named) : {};
  const skip = found['skip'];
  return {
    ...textMember('identity', found['identity']),
    ...textMember('title', found['title']),
    ...textMember('url', found['url']),
    ...textMember('author', found['author']),
    ...(Object.keys(values).length === 0 ? {} : { fields: values }),
    ...(isTruthy(skip) ? { skip: textOf(skip) ?? 'left out by the connector' } : {}),
  };
}

/** Fills in the path of an object. Slashes in values become a similar character, and names of dots are changed. */
export function pathOf(path: Text, scope: Scope): string {
  const rendered = renderText(path, scope, (value, isRaw) => (isRaw ? value : nameOf(value)));
  const steps = rendered.split('/').filter((step) => step !== '');
  return steps.map((step) => (/^\.{1,2}$/.test(step) ? `${step}_` : step)).join('/');
}

/** Returns a value as the name of one level. */
export function nameOf(value: string): string {
  const name = value
    .replaceAll('/', '∕')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return name === '' || /^\.{1,2}$/.test(name) ? `${name}_` : name;
}

/** Returns the name of the item for messages. */
export function describeItem(stream: string, item: unknown): string {
  const id = isRecord(item) ? (textOf(item['id']) ?? textOf(item['key'])) : undefined;
  return id === undefined ? `An item of \`${stream}\`` : `Item ${id} of \`${stream}\``;
}
