import { patientFetch } from '@trove/client/node';
import type { GraphBuild } from '@trove/client';

import type { Cli } from '../session/cli.js';
import { CLEAR_LINE } from '../terminal/notice.js';
import { formatCount } from '../terminal/numbers.js';
import { askGraph, type GraphApi } from './ask-graph.js';

const TICK_MS = 250;
const TICKS_PER_LOOK = 4;

/** Runs what takes long; on a terminal, a line says what it is, how far, and for how long it has been going on. */
export async function waitingFor<T>(
  cli: Cli,
  what: string,
  work: () => Promise<T>,
  lookHowFar: () => Promise<string> = async () => '',
): Promise<T> {
  const { err } = cli;
  if (cli.json || !err.isTerminal) return work();
  const began = performance.now();
  let howFar = '';
  let isLooking = false;
  const look = async (): Promise<void> => {
    isLooking = true;
    howFar = await lookHowFar().catch(() => howFar);
    isLooking = false;
  };
  let ticks = 0;
  const draw = (): void => {
    if (ticks++ % TICKS_PER_LOOK === 0 && !isLooking) void look();
    const seconds = Math.floor((performance.now() - began) / 1000);
    const line = [`${what} …`, howFar, `${seconds} s`].filter((part) => part !== '').join(' ');
    void err.write(`${CLEAR_LINE}${line.slice(0, Math.max(20, err.columns - 1))}`);
  };
  draw();
  const ticking = setInterval(draw, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    await err.write(CLEAR_LINE);
  }
}

/** Builds a graph with a client that waits as long as it takes, and shows how many passages are done. */
export function building<T>(
  cli: Cli,
  graphName: string | undefined,
  what: string,
  work: (graph: GraphApi) => Promise<T>,
): Promise<T> {
  let asked = cli.client.graph;
  const begin = (graph: GraphApi): Promise<T> => {
    asked = graph;
    return work(graph);
  };
  const lookHowFar = async (): Promise<string> =>
    progressOf(await asked.graphBuild({ graph_name: graphName ?? '' }));
  return waitingFor(cli, what, () => askGraph(cli, begin, { fetch: patientFetch }), lookHowFar);
}

function progressOf({ num_passages: done, total_passages: total }: GraphBuild): string {
  return `${formatCount(done)}${total === null ? '' : ` of ${formatCount(total)}`} passages,`;
}
