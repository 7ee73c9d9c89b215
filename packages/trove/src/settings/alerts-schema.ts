import { section, text } from './schema-parts.js';

export const alerts = section('Alerts about failing sources and full disks.', {
  webhook: {
    ...text,
    writeOnly: true,
    description:
      'URL that gets each alert as JSON, or a reference to it: `env:NAME`, `file:/path`.',
  },
  command: {
    type: 'array',
    items: text,
    default: [],
    description:
      'Program and its arguments, without a shell. It gets each alert as JSON on its standard input.',
  },
  after: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 3,
    description:
      'Number of failed syncs in a row, or of missed times of a schedule, before an alert.',
  },
  url: {
    ...text,
    description:
      'Address of the server for links in alerts, such as `https://trove.example`. Default: its own address.',
  },
});
