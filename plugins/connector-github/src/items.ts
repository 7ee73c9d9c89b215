/** An issue or a pull request: the members of the service's answer that functions use. */
export interface GitHubIssue {
  readonly title: string;
  readonly body: string | null;
  readonly state: string;
  readonly labels: readonly (string | { readonly name?: string })[];
  /** Present if it is a pull request. */
  readonly pull_request?: { readonly merged_at?: string | null };
}

/** A comment on an issue, on a pull request, or on a line of a pull request. */
export interface GitHubComment {
  readonly body?: string;
}

export interface Review {
  readonly state: string;
}

export interface Release {
  readonly tag_name: string;
  readonly name: string | null;
  readonly body?: string | null;
  readonly draft: boolean;
}

export function bodyOf({ body }: GitHubComment | Release): string {
  return body ?? '';
}

/** Messages without a text are not indexed. */
export function textOf({ title, body }: GitHubIssue): string {
  return body === null || body.trim() === '' ? title : body;
}

export function typeOf({ pull_request }: GitHubIssue): 'issue' | 'pull_request' {
  return pull_request === undefined ? 'issue' : 'pull_request';
}

/** The service shows a merged pull request as closed. */
export function stateOf({ state, pull_request }: GitHubIssue): string {
  return typeof pull_request?.merged_at === 'string' ? 'merged' : state;
}

export function labelsOf({ labels }: GitHubIssue): readonly string[] {
  return labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])));
}

/** Returns the number at the end of the address in a member: `…/issues/12` is `12`. */
export function numberIn(member: string): (item: Readonly<Record<string, unknown>>) => string {
  return (item) => String(item[member]).replace(/^.*\//, '');
}
