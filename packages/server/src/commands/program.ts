import { completionCommand, group, lazyCommand, type Program } from '@trove/commands';
import { version } from '../version.js';
import type { ServerContext } from './context.js';
import { nameSuggestions } from './name-suggestions.js';

/** The `trove-server` command. The module of a command is loaded when it runs. */
export const program: Program<ServerContext> = {
  root: group<ServerContext>(
    'trove-server',
    'Serve sources as one tree of files that can be searched, grepped, listed and read',
    [
      lazyCommand(
        'run',
        'Serve the HTTP API. With SQLite (the default), also run queued jobs',
        async () => (await import('./run.js')).run,
      ),
      lazyCommand(
        'api',
        'Same as run. With PostgreSQL, both only serve, and workers run the jobs',
        async () => (await import('./run.js')).api,
      ),
      lazyCommand(
        'worker',
        'Run queued jobs without serving HTTP',
        async () => (await import('./worker.js')).worker,
      ),
      lazyCommand(
        'reload',
        'Check server.toml and print the resulting settings. Restart the server to apply changes',
        async () => (await import('./reload.js')).reload,
      ),
      lazyCommand(
        'setup',
        'Ask for settings, test them and write server.toml. The previous file becomes server.toml.bak',
        async () => (await import('./setup.js')).setup,
      ),
      group('connector', 'Add, log in and list sources on the machine of the server', [
        lazyCommand(
          'add',
          'Ask for the settings of a source, test it and register it. The server indexes it, now or after its next start',
          async () => (await import('./connector-add.js')).connectorAdd,
        ),
        lazyCommand(
          'login',
          'Log in to a web service with a browser on any machine, and store its token',
          async () => (await import('./connector-login.js')).connectorLogin,
        ),
        lazyCommand(
          'list',
          'List the registered sources, even without a running server',
          async () => (await import('./connector-list.js')).connectorList,
        ),
      ]),
      group('alerts', 'Alerts about failing sources and full disks', [
        lazyCommand(
          'test',
          'Send a test alert to the webhook and the command in [alerts]',
          async () => (await import('./alerts-test.js')).alertsTest,
        ),
      ]),
      lazyCommand(
        'plugins',
        'List all plugins with their keys, packages, files and problems',
        async () => (await import('./plugins.js')).plugins,
      ),
      lazyCommand(
        'compact',
        'Free the space of deleted data in the databases, the index and the caches. Servers may keep running',
        async () => (await import('./compact.js')).compact,
      ),
      lazyCommand(
        'restore',
        'Restore a backup of `trove backup` into an empty home',
        async () => (await import('./restore.js')).restore,
      ),
      completionCommand('trove-server', 'commands and options'),
    ],
    [
      'First steps\n  trove-server setup\n  trove-server run\n  trove add .',
      'To search and to control a running server, use `trove`.',
    ],
  ),
  globals: { help: { type: 'boolean', alias: 'h', description: 'Show this help' } },
  nameSuggestions,
  completers: {},
  version: () => version,
};
