import { fetchWithoutTimeout } from '@trove/client/node';
import type { GraphBuild } from '@trove/client';

import type { Cli } from '../session/cli.js';
import { formatCount } from '../terminal/numbers.js';
import { clearLine } from '../terminal/output.js';
import { callGraphApi, type GraphApi } from './graph-api.js';

const tickMs = 250;
const ticksPerRefresh = 4;

/** Runs slow work and shows its name, progress and duration on a terminal. */
export async function withElapsedTime<T>(
  cli: Cli,
  what: string,
  work: () => Promise<T>,
  fetchProgress: () => Promise<string> = async () => '',
): Promise<T> {
  const { err } = cli;
  if (cli.json || !err.isTerminal) return work();
  const startedAt = performance.now();
  let progress = '';
  let isRefreshing = false;
  const refresh = async (): Promise<void> => {
    isRefreshing = true;
    progress = await fetchProgress().catch(() => progress);
    isRefreshing = false;
  };
  let ticks = 0;
  const draw = (): void => {
    if (ticks++ % ticksPerRefresh === 0 && !isRefreshing) void refresh();
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    const line = [`${what} …`, progress, `${seconds} s`].filter((part) => part !== '').join(' ');
    void err.write(`${clearLine}${line.slice(0, Math.max(20, err.columns - 1))}`);
  };
  draw();
  const ticking = setInterval(draw, tickMs);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    await err.write(clearLine);
  }
}

/** Builds a graph without a time limit and shows the number of finished passages. */
export function runBuild<T>(
  cli: Cli,
  graphName: string | undefined,
  what: string,
  work: (graph: GraphApi) => Promise<T>,
): Promise<T> {
  let api = cli.client.graph;
  const start = (graph: GraphApi): Promise<T> => {
    api = graph;
    return work(graph);
  };
  const fetchProgress = async (): Promise<string> =>
    formatProgress(await api.graphBuild({ graph_name: graphName ?? '' }));
  return withElapsedTime(
    cli,
    what,
    () => callGraphApi(cli, start, { fetch: fetchWithoutTimeout }),
    fetchProgress,
  );
}

function formatProgress({ num_passages: done, total_passages: total }: GraphBuild): string {
  return `${formatCount(done)}${total === null ? '' : ` of ${formatCount(total)}`} passages,`;
}
