import type { FoundField } from './fields.js';

/** The members of a record, with paths that may supply them. The first path is the proposal. */
export interface MappingProposal {
  readonly key: readonly string[];
  readonly title: readonly string[];
  readonly text: readonly string[];
  readonly at: readonly string[];
  readonly author: readonly string[];
  readonly url: readonly string[];
  /** Other values to filter by. */
  readonly fields: readonly string[];
}

const maxFields = 12;
const maxTitleChars = 300;
const maxFieldChars = 100;

/** Names by member, the best ones first. They match the end of a path. */
const names = {
  key: ['id', 'uuid', 'guid', '_id', 'sys.id', 'key', 'iid', 'number', 'sha', 'slug', 'code'],
  title: [
    'title',
    'subject',
    'name',
    'headline',
    'summary',
    'display_name',
    'displayName',
    'label',
  ],
  text: ['body', 'text', 'content', 'description', 'message', 'comment', 'notes', 'summary', 'bio'],
  at: [
    'updated_at',
    'updatedAt',
    'updated',
    'modified_at',
    'modifiedAt',
    'modified',
    'last_modified',
    'lastModified',
    'last_edited_time',
    'changed_at',
    'changed',
    'date_modified',
    'created_at',
    'createdAt',
    'created',
    'published_at',
    'publishedAt',
    'date',
    'timestamp',
    'time',
    'ts',
  ],
  author: [
    'author.name',
    'author.login',
    'user.name',
    'user.login',
    'creator.name',
    'created_by.name',
    'owner.name',
    'reporter.name',
    'sender.name',
    'author',
    'user',
    'creator',
    'created_by',
    'createdBy',
    'owner',
    'username',
    'sender',
    'from',
  ],
  url: ['html_url', 'web_url', 'webUrl', 'permalink', 'link', 'url', 'href'],
} as const;

/** Proposes where records of a list have their members. `count`: the number of items. */
export function proposeMapping(
  fields: readonly FoundField[],
  count: number,
  api: URL,
): MappingProposal {
  const single = fields.filter(({ isList }) => !isList);
  const key = rank(
    single.filter((field) => isKey(field, count)),
    names.key,
  );
  const at = rank(single.filter(isTime), names.at);
  const url = rank(
    single.filter((field) => isPage(field, api)),
    names.url,
  );
  const used = new Set([
    ...key.slice(0, 1),
    ...at,
    ...single.filter(isUrl).map(({ path }) => path),
  ]);
  const texts = single.filter((field) => isText(field) && !used.has(field.path));
  const title = named(texts.filter(isShort), names.title);
  const [first] = title;
  const text = textsOf(texts.filter(({ path }) => path !== first));
  const author = named(texts, names.author);
  for (const [best] of [title, text, author]) if (best !== undefined) used.add(best);
  return { key, title, text, at, author, url, fields: otherFields(fields, used) };
}

/** A key is present in each item and unique. */
function isKey({ values, count }: FoundField, items: number): boolean {
  return (
    count === items &&
    new Set(values).size === items &&
    values.every((value) => typeof value !== 'boolean' && String(value).length <= 200)
  );
}

function isTime({ path, values }: FoundField): boolean {
  if (values.length === 0) return false;
  if (values.every((value) => typeof value === 'string' && isDate(value))) return true;
  const isNamed = /(?:_at|_on|At|[Dd]ate|[Tt]ime|[Tt]imestamp|updated|modified|created|ts)$/.test(
    path,
  );
  return isNamed && values.every((value) => Number(value) > 100_000_000);
}

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(value) && !Number.isNaN(Date.parse(value));
}

function isUrl({ values }: FoundField): boolean {
  return values.length > 0 && values.every((value) => /^https?:\/\//.test(String(value)));
}

/** A page for people. An address below the API is not one. */
function isPage(field: FoundField, api: URL): boolean {
  const [first] = field.values;
  if (!isUrl(field) || !URL.canParse(String(first))) return false;
  const { host, pathname } = new URL(String(first));
  return host !== api.host || !/^\/(?:api|rest|v\d)/.test(pathname)
    ? !host.startsWith('api.')
    : false;
}

function isText({ values }: FoundField): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function isShort({ values }: FoundField): boolean {
  return values.every(
    (value) => String(value).length <= maxTitleChars && !String(value).includes('\n'),
  );
}

/** Returns the paths with usual names first, then the others by their depth. */
function rank(fields: readonly FoundField[], usual: readonly string[]): readonly string[] {
  const position = (path: string): number => {
    const at = usual.findIndex((name) => path === name || path.endsWith(`.${name}`));
    return (at < 0 ? usual.length : at) + path.split('.').length * 10;
  };
  return fields.map(({ path }) => path).toSorted((a, b) => position(a) - position(b));
}

/** Returns only paths with usual names. Members of the item itself come before those of its members. */
function named(fields: readonly FoundField[], usual: readonly string[]): readonly string[] {
  const paths = fields.map(({ path }) => path);
  const own = usual.filter((name) => paths.includes(name));
  const deeper = usual.flatMap((name) => paths.filter((path) => path.endsWith(`.${name}`)));
  return [...new Set([...own, ...deeper])];
}

/** Usual names come first, then texts of several words, the longest first. */
function textsOf(texts: readonly FoundField[]): readonly string[] {
  const length = ({ values }: FoundField): number =>
    values.reduce<number>((sum, value) => sum + String(value).length, 0) / values.length;
  const long = texts
    .filter((field) => field.values.some((value) => String(value).trim().split(/\s+/).length >= 4))
    .toSorted((a, b) => length(b) - length(a));
  return [...new Set([...named(texts, names.text), ...long.map(({ path }) => path)])];
}

function otherFields(fields: readonly FoundField[], used: ReadonlySet<string>): readonly string[] {
  return fields
    .filter(({ path, values }) => {
      const isId =
        /(?:^|[._])(?:id|ids|uuid|guid|node_id|sha|etag)$/i.test(path) || /[a-z]Ids?$/.test(path);
      const isSmall = values.every((value) => String(value).length <= maxFieldChars);
      return !used.has(path) && !isId && isSmall && values.length > 0;
    })
    .filter((field) => !isUrl(field))
    .map(({ path }) => path)
    .slice(0, maxFields);
}
