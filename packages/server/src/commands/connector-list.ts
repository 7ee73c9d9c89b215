import { commandBody } from '@trove/commands';
import { openTrove, type StatusResponse } from 'trove';
import { version } from '../version.js';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots } from './shared.js';
import { formatTable } from './table.js';

export const connectorList = commandBody({
  args: { json: { type: 'boolean', description: 'Print JSON' }, ...configArg },
  examples: [
    {
      command: 'trove-server connector list',
      does: 'print a table of the sources with their status',
    },
    {
      command: 'trove-server connector list --json',
      does: 'print all data of the sources as JSON',
    },
  ],
  async run(args, { out }: ServerContext) {
    const config = await configOf(args.text('config'));
    const engine = await openTrove(config.settings, { version, appRoots: packageRoots(config) });
    try {
      const { connectors } = await engine.status();
      await out.write(
        args.flag('json') ? `${JSON.stringify(connectors)}\n` : reportConnectors(connectors),
      );
    } finally {
      await engine.close();
    }
  },
});

function reportConnectors(connectors: StatusResponse['connectors']): string {
  if (connectors.length === 0) return 'No sources. Add one: trove-server connector add\n';
  const rows = connectors.map((row) => [
    row.type,
    row.status,
    String(row.object_count),
    String(row.chunk_count),
    row.last_synced_at ?? 'never',
    row.root_uri,
  ]);
  const head = ['TYPE', 'STATUS', 'OBJECTS', 'CHUNKS', 'LAST SYNC', 'SOURCE'];
  return `${formatTable(head, rows).join('\n')}\n`;
}
