import type { SourceSetup } from '@trove/core';

const workspace = /^(?:(?:https?:\/\/)?app\.asana\.com\/1\/)?(\d+)(?:[/?#].*)?$/;

export const setup: SourceSetup = {
  address: {
    ask: 'Id of the workspace, or the web address of one of its tasks or projects',
    read(text) {
      const [, address] = workspace.exec(text) ?? [];
      return address === undefined
        ? 'Enter the number after https://app.asana.com/1/ in the address of any page of the workspace.'
        : { address };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Personal access token',
      help: 'Create a token at https://app.asana.com/0/my-apps. Trove sees the projects that its owner sees.',
    },
  ],
};
