import type { SourceSetup } from '@trove/core';

const workspace = /^(?:(?:https:\/\/)?linear\.app\/)?([a-z0-9][\w-]*)(?:\/.*)?$/i;

export const setup: SourceSetup = {
  address: {
    ask: 'Workspace (acme of linear.app/acme)',
    read(text) {
      const [, name] = workspace.exec(text) ?? [];
      return name === undefined
        ? 'Enter the name of the workspace: acme of linear.app/acme.'
        : { address: name.toLowerCase() };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'API key (lin_api_…)',
      help: 'Create a personal API key at https://linear.app/settings/account/security with the permission "Read" only. Trove sees the teams that the key may read.',
    },
  ],
};
