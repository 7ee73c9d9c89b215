import { explanationOf } from '../explain/explanation.js';
import { findTarget } from '../explain/finding.js';
import type { Cli } from '../session/cli.js';
import type { ModeResult } from './report.js';
import type { Wanted } from './wanted.js';

/** Maximum number of missing places that are explained. */
const maxExplained = 20;

/** Returns why wanted places of questions without a wanted hit cannot be found: not indexed, unknown heading, … */
export async function findProblems(
  cli: Cli,
  results: readonly ModeResult[],
  unresolved: ReadonlyMap<Wanted, string>,
): Promise<ReadonlyMap<Wanted, string>> {
  const missed = new Set(
    results.flatMap(({ answered }) =>
      answered.flatMap(({ rank, question }) => (rank === null ? question.wanted : [])),
    ),
  );
  const problems = new Map(unresolved);
  const unexplained = [...missed].filter((wanted) => !problems.has(wanted));
  for (const wanted of unexplained.slice(0, maxExplained)) {
    if (wanted.source === null) continue;
    const finding = await findTarget(cli, wanted.source);
    const { verdict, text } = explanationOf(cli, wanted.source, wanted.label, finding);
    if (verdict !== 'indexed' && verdict !== 'folder') problems.set(wanted, text);
  }
  return problems;
}
