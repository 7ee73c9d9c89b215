import type { HttpDescription } from '@trove/connector-kit/http';

import type { FeishuConfig } from './config.js';
import { errors } from './errors.js';
import { apiOf, type FeishuLocation } from './location.js';

/** What all sources share: the login in two steps, the errors and the limits. */
export function serviceOf(
  location: FeishuLocation,
  { base_url: base = apiOf(location) }: FeishuConfig,
): Omit<HttpDescription, 'check' | 'streams'> {
  return {
    base,
    auth: {
      oauth2: {
        grant: 'request',
        tokenUrl: `${base}/open-apis/auth/v3/tenant_access_token/internal`,
        body: { app_id: '{config.app_id}', app_secret: '{secret.app_secret}' },
        token: 'tenant_access_token',
        expires: 'expire',
      },
    },
    errors,
    limits: {
      waitFrom: ['header.x-ogw-ratelimit-reset', 'header.retry-after'],
      // Feishu allows five documents in a second.
      budgets: [{ match: '/docx/', requests: 5, per: '1s' }],
    },
  };
}
