import { defineCommand } from 'citty';
import { openTrove, type StatusResponse } from 'trove';
import { version } from '../version.js';
import { configArg, configOf, packageRoots, refuseUnknown } from './shared.js';
import { tableOf } from './table.js';

const args = {
  json: { type: 'boolean', description: 'Print JSON' },
  ...configArg,
} as const;

export const connectorList = defineCommand({
  meta: {
    name: 'trove-server connector list',
    description: 'List the registered sources, whether a server runs or not',
  },
  args,
  async run({ args: given }) {
    refuseUnknown(given, args);
    const config = await configOf(given.config);
    const engine = await openTrove(config.settings, { version, appRoots: packageRoots(config) });
    try {
      const { connectors } = await engine.status();
      process.stdout.write(
        given.json === true ? `${JSON.stringify(connectors)}\n` : reportConnectors(connectors),
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
  return `${tableOf(head, rows).join('\n')}\n`;
}
