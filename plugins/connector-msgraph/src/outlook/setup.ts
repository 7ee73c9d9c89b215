import type { SourceSetup } from '@trove/core';

import { graphLogin } from '../graph/setup.js';

export const outlookSetup: SourceSetup = {
  address: {
    ask: 'Name of the mailbox in Trove',
    initial: 'outlook',
    read: (text) =>
      /^[\w-]+$/.test(text)
        ? { address: text }
        : 'Enter a name of letters, digits, _ and -, such as ann.',
  },
  questions: [
    graphLogin('Mail.Read', [
      { setting: 'user', ask: 'Mail address of the user whose mail is indexed' },
    ]),
  ],
};
