import type { Infer } from '@trove/core';
import type { Scope } from '@trove/connector-kit/http';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    repository: {
      type: 'string',
      pattern: '^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$',
      description:
        'Owner and name of the repository, if the target is a name of your own (`github://backlog`). Default: those of the target.',
    },
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description:
        'Access token, preferably as env:GITHUB_TOKEN or file:/path. A fine-grained token needs the permissions Issues, Pull requests, Discussions and Contents, all read-only. Default: none, which suffices for small public repositories, without their discussions.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      default: 'https://api.github.com',
      description:
        'Address of the API. For GitHub Enterprise Server: https://HOST/api/v3. For data residency: https://api.NAME.ghe.com.',
    },
    discussions: {
      type: 'boolean',
      default: true,
      description:
        'Also index discussions. This needs a token, because GitHub offers them only through GraphQL.',
    },
    reviews: {
      type: 'boolean',
      default: false,
      description:
        'Also index the summaries of reviews. This costs one request for each pull request that changed. Comments on lines are always indexed.',
    },
  },
} as const;

export type GitHubConfig = Infer<typeof configSchema>;

/** Returns the owner and the name of the repository: `octocat/hello-world`. */
export function repositoryOf({ config, target }: Scope<GitHubConfig>): string {
  return config.repository ?? target.parts.slice(0, 2).join('/');
}
