import type { SourceSetup } from '@trove/core';

const subdomain = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;

export const setup: SourceSetup = {
  address: {
    ask: 'Account (acme of acme.zendesk.com, or its web address)',
    read(text) {
      const [, name = ''] = /^(?:https?:\/\/)?([^/?#]+)/.exec(text) ?? [];
      const address = name.toLowerCase().replace(/\.zendesk\.com$/, '');
      return subdomain.test(address)
        ? { address }
        : 'Enter the name of the account: acme of acme.zendesk.com.';
    },
  },
  questions: [
    { setting: 'email', ask: 'Email address of an admin' },
    {
      setting: 'api_token',
      ask: 'API token',
      help: 'Create a token at https://ACCOUNT.zendesk.com/admin/apps-integrations/apis/api-tokens. The account of the email address needs the role admin, because only admins may export tickets.',
    },
  ],
};
