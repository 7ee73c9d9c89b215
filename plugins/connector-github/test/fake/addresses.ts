/** The addresses of a repository: of the API and of its pages for people. */
export interface Addresses {
  readonly api: string;
  readonly html: string;
}

/** A time without milliseconds, as the service writes it. */
export function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A person, as other objects contain it. `api`: any address of the API. */
export function userForm(login: string, api: string): Record<string, unknown> {
  const { origin } = new URL(api);
  const url = `${origin}/users/${login}`;
  const id =
    Array.from(login).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 100_000;
  return {
    login,
    id,
    node_id: Buffer.from(`User${id}`).toString('base64'),
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `https://github.com/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}
