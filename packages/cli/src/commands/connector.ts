import { group, aliasOf } from '@trove/commands';

import { displayUri } from '../paths/display.js';
import { command } from '../session/command.js';
import { formatAge, formatCount } from '../terminal/numbers.js';
import { renderTable } from '../terminal/table.js';
import { add } from './add.js';
import { nextSyncOf } from './next-sync.js';
import { failingFirst } from './source-order.js';
import { explain } from './connector-explain.js';
import { estimate, inspect, probe, remove } from './sources.js';
import { pause, resume } from './pause.js';
import { update } from './update.js';

const list = command({
  name: 'list',
  description: 'List the registered sources with their status',
  args: {},
  examples: [{ command: 'trove connector list', does: 'list the registered sources' }],
  async run(_args, cli) {
    const { connectors } = await cli.client.server.status();
    if (cli.json) return cli.printJson(connectors);
    if (connectors.length === 0) return cli.err.line('No sources yet: trove add PATH');
    const { out } = cli;
    const rows = failingFirst(connectors).map((row) => [
      out.safeName(displayUri(row.root_uri, cli)),
      row.type,
      row.status,
      formatCount(row.object_count),
      row.last_synced_at === null ? 'never' : formatAge(row.last_synced_at),
      nextSyncOf(row),
    ]);
    const columns = [
      { title: 'SOURCE', narrow: 'shortened' },
      { title: 'TYPE' },
      { title: 'STATUS' },
      { title: 'OBJECTS', align: 'right', narrow: 'left-out' },
      { title: 'SYNCED', narrow: 'left-out' },
      { title: 'NEXT', narrow: 'left-out' },
    ] as const;
    const width = out.isTerminal ? out.columns : undefined;
    for (const line of renderTable(columns, rows, width)) await out.line(line);
  },
});

export const connector = group('connector', 'Manage sources', [
  aliasOf(probe, 'trove probe'),
  aliasOf(add, 'trove add'),
  update,
  pause,
  resume,
  list,
  aliasOf(inspect, 'trove inspect'),
  aliasOf(estimate, 'trove estimate'),
  explain,
  aliasOf(remove, 'trove remove'),
]);
