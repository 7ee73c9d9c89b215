import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'Name of the account in Trove',
    initial: 'account',
    read: (text) =>
      /^[\w-]+$/.test(text)
        ? { address: text }
        : 'Enter a name of letters, digits, _ and -, such as acme.',
  },
  questions: [
    {
      setting: 'token',
      ask: 'Service key or access token',
      help: 'Create a service key at https://app.hubspot.com under Settings > Integrations > Service keys, or use the access token of a private app. It needs the scope crm.objects.contacts.read, and those of the other objects to read: crm.objects.companies.read, crm.objects.deals.read, crm.objects.owners.read, tickets, sales-email-read.',
    },
  ],
};
