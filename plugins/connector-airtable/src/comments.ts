import type { RecordParts, Scope } from '@trove/connector-kit/http';

import { textAt } from './json.js';
import { recordUrl } from './records.js';

interface Person {
  readonly name?: string;
  readonly email?: string;
}

/** A comment on a record, as the service shows it. */
interface AirtableComment {
  readonly id: string;
  readonly text: string;
  readonly createdTime: string;
  readonly lastUpdatedTime: string | null;
  readonly parentCommentId?: string;
  readonly author: Person;
  /** The people and groups that the text mentions, by their ids. */
  readonly mentioned?: Readonly<Record<string, Person>>;
}

interface CommentsAnswer {
  readonly comments?: readonly AirtableComment[];
}

/** A comment with the id of its record. */
interface CommentItem extends AirtableComment {
  readonly record: string;
  /** `rec…/com…`, because the service requests comments by their records. */
  readonly key: string;
}

/** Returns the comments of a page. Undefined for an answer without the list. */
export function commentItems(
  { comments }: CommentsAnswer,
  { values, parents }: Scope,
): readonly CommentItem[] | undefined {
  const { thread } = values;
  const record = typeof thread === 'string' ? thread : textAt(parents['records'], 'id');
  return comments?.map((comment) => itemOf(comment, record));
}

/** Returns the comment with the requested key. */
export function oneComment(
  { comments = [] }: CommentsAnswer,
  { values }: Scope,
): CommentItem | undefined {
  const [record = ''] = keyOf(values).split('/');
  const items = comments.map((comment) => itemOf(comment, record));
  return items.find(({ key }) => key === keyOf(values));
}

/** Returns the path of the comments that contain the requested one. */
export function commentPath({ values, parents }: Scope): string {
  const [record = ''] = keyOf(values).split('/');
  const steps = [textAt(parents['bases'], 'id'), textAt(parents['tables'], 'id'), record];
  return `/v0/${steps.map(encodeURIComponent).join('/')}/comments`;
}

/** Makes a message of the thread of a record. */
export function toComment(comment: CommentItem, scope: Scope): RecordParts {
  const { record, author, createdTime, lastUpdatedTime, parentCommentId } = comment;
  return {
    text: textOf(comment),
    at: lastUpdatedTime ?? createdTime,
    author: author.name ?? author.email,
    url: recordUrl(record, scope),
    thread: record,
    fields: { type: parentCommentId === undefined ? 'comment' : 'reply' },
  };
}

/** Returns the text with names in place of the ids of mentioned people: `@[usr…]`. */
function textOf({ text, mentioned = {} }: AirtableComment): string {
  return text.replaceAll(/@\[(\w+)\]/g, (whole, id: string) => {
    const { name, email } = mentioned[id] ?? {};
    return name === undefined && email === undefined ? whole : `@${name ?? email}`;
  });
}

function itemOf(comment: AirtableComment, record: string): CommentItem {
  return { ...comment, record, key: `${record}/${comment.id}` };
}

function keyOf(values: Scope['values']): string {
  return textAt(values['key'], 'id');
}
