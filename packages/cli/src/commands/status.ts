import type { EmbeddingSwitch, StatusResponse } from '@trove/client';

import { displayText, displayUri } from '../paths/display.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatAge, formatCount, formatSize } from '../terminal/numbers.js';
import { renderTable } from '../terminal/table.js';
import { nextSyncOf } from './next-sync.js';
import { failingFirst } from './source-order.js';

export const status = command({
  name: 'status',
  description: 'Show the sources with their counts, and the numbers of jobs',
  args: {},
  examples: [{ command: 'trove status', does: 'show what is indexed' }],
  async run(_args, cli) {
    const answer = await cli.client.server.status();
    if (cli.json) return cli.printJson(answer);
    const { out } = cli;
    await out.line(`Server ${cli.endpoint}`);
    if (answer.connectors.length === 0) await out.line('No sources yet: trove add PATH');
    else {
      await printSources(cli, answer);
      await printProblems(cli, answer);
    }
    const { embedding } = answer;
    if (embedding.switch !== null) await out.line(describeSwitch(embedding.name, embedding.switch));
    const jobs = Object.entries(answer.jobs).filter(([, count]) => count > 0);
    if (jobs.length > 0) {
      await out.line(`Jobs: ${jobs.map(([name, count]) => `${count} ${name}`).join(', ')}`);
    }
    await printDisks(cli, answer);
  },
});

async function printSources(cli: Cli, { connectors }: StatusResponse): Promise<void> {
  const { out } = cli;
  const hasSchedules = connectors.some((row) => nextSyncOf(row) !== '');
  const rows = failingFirst(connectors).map((row) => [
    out.safeName(displayUri(row.root_uri, cli)),
    row.type,
    row.status,
    formatCount(row.object_count),
    formatCount(row.chunk_count),
    row.disk_bytes === null ? '' : formatSize(row.disk_bytes),
    row.last_synced_at === null ? 'never' : formatAge(row.last_synced_at),
    ...(hasSchedules ? [nextSyncOf(row)] : []),
  ]);
  const lines = renderTable(
    [
      { title: 'SOURCE', narrow: 'shortened' },
      { title: 'TYPE', narrow: 'left-out' },
      { title: 'STATUS' },
      { title: 'OBJECTS', align: 'right' },
      { title: 'CHUNKS', align: 'right' },
      { title: 'DISK', align: 'right', narrow: 'left-out' },
      { title: 'SYNCED' },
      ...(hasSchedules ? [{ title: 'NEXT' }] : []),
    ],
    rows,
    out.isTerminal ? out.columns : undefined,
  );
  for (const line of lines) await out.line(line);
}

/** Prints the errors of sources, and why sources are polled instead of watched. */
async function printProblems(cli: Cli, { connectors }: StatusResponse): Promise<void> {
  const { out } = cli;
  const safe = (text: string | null) => out.safeName(displayText(text ?? '', cli));
  for (const { root_uri, error, detail, failing_since, watch } of failingFirst(connectors)) {
    const source = out.safeName(displayUri(root_uri, cli));
    if (error !== null) {
      const since = failing_since === null ? '' : ` (first failed ${formatAge(failing_since)})`;
      await out.line(`${out.style.red('Problem')} ${source}: ${error}: ${safe(detail)}${since}`);
    }
    if (watch?.by === 'polling')
      await out.line(
        `${out.style.yellow('Polled')} ${source} every ${formatInterval(watch.every_seconds ?? 0)}: ${safe(watch.detail)}`,
      );
  }
}

/** Prints the used space, and warnings about disks with little free space. */
async function printDisks({ out }: Cli, { disk, disk_space }: StatusResponse): Promise<void> {
  const parts = Object.entries(disk).flatMap(([part, bytes]) =>
    bytes === null || bytes === 0 ? [] : [`${formatSize(bytes)} ${part.replaceAll('_', ' ')}`],
  );
  if (parts.length > 0) await out.line(`Disk: ${parts.join(', ')}`);
  for (const { state, detail } of disk_space) {
    if (detail === null) continue;
    const { red, yellow } = out.style;
    const mark = state === 'full' ? red('Disk full') : yellow(`Disk ${state}`);
    await out.line(`${mark} ${out.safeName(detail)}`);
  }
}

/** Formats seconds as `40 s` or `10 min`. */
function formatInterval(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Returns how many sources and objects the new embedder has indexed. */
function describeSwitch(name: string, { from, ...done }: NonNullable<EmbeddingSwitch>): string {
  const sources = `${formatCount(done.sources_done)} of ${formatCount(done.sources)} sources`;
  const objects = `${formatCount(done.objects_done)} of ${formatCount(done.objects)} objects`;
  return `Embedder: ${name} has indexed ${sources} (${objects}). The index of ${from.join(', ')} answers for the others, by words`;
}
