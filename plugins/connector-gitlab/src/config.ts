import type { Infer } from '@trove/core';
import type { Scope } from '@trove/connector-kit/http';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    project: {
      type: 'string',
      pattern: '^[^/?#\\s]+(?:/[^/?#\\s]+)+$',
      description:
        'Path of the project with its groups, if the target is a name of your own (`gitlab://backlog`). Default: that of the target.',
    },
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description:
        'Personal, group or project access token with the scope read_api and at least the role Reporter, preferably as env:GITLAB_TOKEN or file:/path. Default: none, which suffices for public projects.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*[^/?#@\\s])?$',
      default: 'https://gitlab.com',
      description: 'Address of the GitLab server.',
    },
  },
} as const;

export type Config = Infer<typeof configSchema>;

/** Returns the path of the project with its groups. */
export function projectOf({ config, target }: Scope<Config>): string {
  return config.project ?? target.parts.join('/');
}
