import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: {
      type: 'string',
      minLength: 1,
      description: 'Jira Cloud: the email address of the account that the API token belongs to.',
    },
    api_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Jira Cloud: an API token of the account.',
    },
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Jira Data Center: a personal access token.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      description:
        'Address of the site: https://jira.example.org. Default: https://NAME.atlassian.net, with the name in the target.',
    },
    edition: {
      type: 'string',
      enum: ['cloud', 'data-center'],
      description:
        'Edition of the site. Default: `data-center` with a `base_url` outside atlassian.net, else `cloud`.',
    },
    cloud_id: {
      type: 'string',
      pattern: '^[0-9a-f-]{36}$',
      description:
        'Jira Cloud: id of the site, for an API token with scopes. https://NAME.atlassian.net/_edge/tenant_info shows it.',
    },
    projects: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
      description:
        'Keys of the projects to index: ["OPS"]. Default: the project in the target, else all projects.',
    },
    jql: {
      type: 'string',
      minLength: 1,
      description:
        'Condition in JQL that issues must meet, without ORDER BY: `issuetype != Sub-task`.',
    },
  },
} as const;

export type JiraConfig = Infer<typeof configSchema>;
