import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'Project, or a dataset of it (my-project or my-project/sales)',
    read: (text) => {
      const [, inUrl] = /[?&]project=([\w.:-]+)/.exec(text) ?? [];
      const address = inUrl ?? text.replace(/^bigquery:\/\//, '').replace('.', '/');
      return /^[a-z][a-z0-9.:-]*(?:\/\w+)?$/.test(address)
        ? { address }
        : 'Enter the id of a project, such as my-project, or a dataset, such as my-project/sales.';
    },
  },
  questions: [
    {
      setting: 'service_account_key',
      ask: 'Path of the JSON key of a service account',
      help: 'In the Google Cloud console, create a service account under IAM & Admin with the roles BigQuery Data Viewer and BigQuery Job User, and a JSON key for it.',
      isFile: true,
    },
  ],
};
