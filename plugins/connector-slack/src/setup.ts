import type { SourceSetup } from '@trove/core';

const workspace = /^(?:https:\/\/)?([a-z0-9][a-z0-9-]*)(\.slack(?:-gov)?\.com(?:\/.*)?)?$/i;

export const setup: SourceSetup = {
  address: {
    ask: 'Workspace (acme of acme.slack.com)',
    read(text) {
      const [, name, domain = ''] = workspace.exec(text) ?? [];
      if (name === undefined || name === 'app')
        return 'Enter the name of the workspace: acme of acme.slack.com.';
      const address = name.toLowerCase();
      return domain.startsWith('.slack-gov')
        ? { address, config: { base_url: 'https://slack-gov.com/api' } }
        : { address };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Token of the app (xoxb-…)',
      help: 'Create an app for the workspace at https://api.slack.com/apps. Under "OAuth & Permissions", give its bot token the scopes channels:read, channels:history, groups:read, groups:history, users:read and files:read. Install the app, copy the bot token, and invite the app to each channel with /invite.',
    },
  ],
};
