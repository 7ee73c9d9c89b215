import { TroveError } from '@trove/core';
import type { Scope } from '@trove/connector-kit/http';

interface Person {
  readonly displayName: string;
}

interface App {
  readonly name: string | null;
}

interface Trashable {
  readonly id: string;
  readonly trashed: boolean | null;
}

/** An issue: the members of the service's answer that functions use. */
export interface LinearIssue {
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  readonly archivedAt: string | null;
  readonly labelIds: readonly string[];
  readonly creator: Person | null;
  readonly botActor: App | null;
}

/** A comment on an issue, on a project, or on an update of a project. */
export interface LinearComment {
  readonly body: string;
  readonly quotedText: string | null;
  readonly parentId: string | null;
  readonly user: Person | null;
  readonly botActor: App | null;
  readonly externalUser: App | null;
  readonly project?: Trashable | null;
  readonly projectUpdate?: { readonly project: Trashable } | null;
}

export interface LinearProject {
  readonly name: string;
  readonly description: string;
  readonly content: string | null;
  readonly archivedAt: string | null;
}

export interface LinearDocument {
  readonly content: string | null;
}

/** What the check of the login reads. */
interface Login {
  readonly data: {
    readonly viewer: Person;
    readonly organization: { readonly name: string; readonly urlKey: string };
  };
}

/** Messages without a text are not indexed. */
export function issueText({ title, description }: LinearIssue): string {
  return description === null || description.trim() === '' ? title : description;
}

export function issueAuthor({ creator, botActor }: LinearIssue): string | undefined {
  return creator?.displayName ?? botActor?.name ?? undefined;
}

/** Returns the names of the labels of an issue, which states only their ids. */
export async function labelsOf(
  { labelIds }: LinearIssue,
  { lookup }: Scope,
): Promise<readonly string[]> {
  const names = await Promise.all(labelIds.map((id) => lookup('labels', id)));
  return names.filter((name) => typeof name === 'string');
}

export function isArchived({ archivedAt }: LinearIssue | LinearProject): boolean {
  return archivedAt !== null;
}

/** Includes the passage that a comment is about. */
export function commentText({ body, quotedText }: LinearComment): string {
  if (quotedText === null || quotedText.trim() === '') return body;
  return `${quotedText.replace(/^/gm, '> ')}\n\n${body}`;
}

export function commentAuthor({ user, botActor, externalUser }: LinearComment): string | undefined {
  return user?.displayName ?? externalUser?.name ?? botActor?.name ?? undefined;
}

export function commentType({ parentId }: LinearComment): 'comment' | 'reply' {
  return parentId === null ? 'comment' : 'reply';
}

/** Returns the project that a comment belongs to. */
export function projectIdOf(comment: LinearComment): string | undefined {
  return projectOf(comment)?.id;
}

export function isOfGoneProject(comment: LinearComment): boolean {
  return projectOf(comment)?.trashed === true;
}

function projectOf({ project, projectUpdate }: LinearComment): Trashable | undefined {
  return project ?? projectUpdate?.project;
}

export function projectText({ name, description, content }: LinearProject): string {
  const texts = [description, content ?? ''].filter((text) => text.trim() !== '');
  return texts.length === 0 ? name : texts.join('\n\n');
}

export function documentText({ content }: LinearDocument): string {
  return content ?? '';
}

/** Names the workspace. Throws for another one than the source's, whose items would replace the indexed ones. */
export function identify({ data }: Login, { target }: Scope): string {
  const { viewer, organization } = data;
  const { urlKey, name } = organization;
  if (urlKey.toLowerCase() === target.authority.toLowerCase())
    return `Connected to ${name} as ${viewer.displayName}.`;
  throw new TroveError(
    'connector_unhealthy',
    `The token belongs to the workspace ${urlKey}, not to ${target.authority}`,
    { suggestions: [`Use a token of ${target.authority}, or add the source linear://${urlKey}.`] },
  );
}
