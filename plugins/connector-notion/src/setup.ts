import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'Name of the workspace in Trove',
    initial: 'workspace',
    read: (text) =>
      /^[\w-]+$/.test(text)
        ? { address: text }
        : 'Enter a name of letters, digits, _ and -, such as acme.',
  },
  questions: [
    {
      setting: 'token',
      ask: 'Integration secret (ntn_…)',
      help: 'Create an internal integration at https://www.notion.so/profile/integrations with the capability "Read content", and "Read comments" for comments. Then share pages with it: open a page, choose ••• and Connections, and add the integration.',
    },
  ],
};
