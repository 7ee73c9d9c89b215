import type { SourceSetup } from '@trove/core';

/** The address of the inbox contains the region and the id of the workspace. */
const inbox = /^(?:https?:\/\/)?app\.(?:(eu|au)\.)?intercom\.(?:com|io)\/a\/(?:inbox|apps)\/(\w+)/;
const name = /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i;

export const setup: SourceSetup = {
  address: {
    ask: 'Workspace (any name for it, or the web address of its inbox)',
    read(text) {
      const [found, region, workspace = ''] = inbox.exec(text.trim()) ?? [];
      if (found !== undefined)
        return { address: workspace, ...(region === undefined ? {} : { config: { region } }) };
      return name.test(text.trim())
        ? { address: text.trim() }
        : 'Enter a name such as acme, or the web address of the inbox.';
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Access token',
      help: 'Create an app at https://app.intercom.com/a/apps/_/developer-hub. Its token is under Configure > Authentication. The app needs the permissions "Read conversations", "Read tickets", "Read and List articles", "Read admins" and "Read and list users and companies".',
    },
  ],
};
