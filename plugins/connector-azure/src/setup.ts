import type { SourceSetup } from '@trove/core';

/** The questions of `trove-server connector add azure`. */
export const setup: SourceSetup = {
  address: {
    ask: 'Container (account/container, or its web address)',
    read(text) {
      const bare = text
        .trim()
        .replace(/^(?:https?|azure):\/\//i, '')
        .replace(/\?.*$/, '');
      const [, account, rest] =
        /^([a-z0-9]{3,24})(?:\.[a-z0-9.-]+)?\/([^\s]+?)\/*$/i.exec(bare) ?? [];
      if (account === undefined || rest === undefined)
        return 'Write it like myaccount/mycontainer.';
      return { address: `${account.toLowerCase()}/${rest}` };
    },
  },
  questions: [
    {
      ask: 'How does Trove log in?',
      choices: [
        {
          label: 'Shared access signature',
          hint: 'for this container only',
          questions: [
            {
              setting: 'sas_token',
              ask: 'Signature (sv=…)',
              help: 'Azure portal: the container, Shared access tokens. Select Read and List.',
            },
          ],
        },
        {
          label: 'Access key',
          hint: 'for the whole account',
          questions: [
            {
              setting: 'account_key',
              ask: 'Key',
              help: 'Azure portal: the storage account, Access keys.',
            },
          ],
        },
      ],
    },
  ],
};
