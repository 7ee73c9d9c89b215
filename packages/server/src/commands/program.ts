import { completionCommand, group, lazyCommand, type Program } from '@trove/commands';
import { version } from '../version.js';
import type { ServerContext } from './context.js';
import { habits } from './habits.js';

/** The `trove-server` command. Each of its commands loads its modules when it runs. */
export const program: Program<ServerContext> = {
  root: group<ServerContext>(
    'trove-server',
    'Serve sources as one tree of files that can be searched, grepped, listed and read',
    [
      lazyCommand(
        'run',
        'Serve the HTTP API; with SQLite (the default) also work on queued jobs',
        async () => (await import('./run.js')).run,
      ),
      lazyCommand(
        'api',
        'The same as run: beside PostgreSQL it serves only, and workers do the jobs',
        async () => (await import('./run.js')).api,
      ),
      lazyCommand(
        'worker',
        'Work on queued jobs until stopped, without serving HTTP',
        async () => (await import('./worker.js')).worker,
      ),
      lazyCommand(
        'reload',
        'Check server.toml and print the resulting settings; a running server picks up changes when it is restarted',
        async () => (await import('./reload.js')).reload,
      ),
      lazyCommand(
        'setup',
        'Write server.toml: ask for settings, try them, and keep what the file held before in server.toml.bak',
        async () => (await import('./setup.js')).setup,
      ),
      group('connector', 'Sources, set up on the machine of the server', [
        lazyCommand(
          'add',
          'Set up a source: ask for its settings, try it, and register it; a running server, or the next one, indexes it',
          async () => (await import('./connector-add.js')).connectorAdd,
        ),
        lazyCommand(
          'list',
          'List the registered sources, whether a server runs or not',
          async () => (await import('./connector-list.js')).connectorList,
        ),
      ]),
      lazyCommand(
        'plugins',
        'List every plugin that would be used: for what, from where and, if it would fail, why',
        async () => (await import('./plugins.js')).plugins,
      ),
      lazyCommand(
        'compact',
        'Give back the space of what was deleted: in the databases, the index and the caches; servers may go on meanwhile',
        async () => (await import('./compact.js')).compact,
      ),
      completionCommand('trove-server', 'commands and options'),
    ],
    [
      'First steps\n  trove-server setup\n  trove-server run\n  trove add .',
      'Searching and everything else that talks to a running server is in `trove`.',
    ],
  ),
  globals: { help: { type: 'boolean', alias: 'h', description: 'Show this help' } },
  nameSuggestions: habits,
  completers: {},
  version: () => version,
};
