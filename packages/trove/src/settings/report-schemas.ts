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

export const log = section('The log.', {
  level: {
    enum: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    description: 'Minimum level of messages.',
  },
  format: {
    enum: ['pretty', 'json'],
    description: 'Default: `pretty` on a terminal, otherwise `json`.',
  },
  file: {
    ...text,
    description:
      'Log file, relative to the home unless absolute. Default: standard error. ' +
      '`trove serve start` sets it to `serve/server.log`.',
  },
  max_size_mb: {
    type: 'number',
    minimum: 1,
    default: 10,
    description: 'Size in MB at which the file is rotated. It becomes `FILE.1`.',
  },
  max_rotated_files: {
    type: 'integer',
    minimum: 0,
    maximum: 100,
    default: 5,
    description: 'Maximum number of rotated files. Older ones are deleted.',
  },
});
