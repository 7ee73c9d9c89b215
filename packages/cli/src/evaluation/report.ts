import { displayUri } from '../paths/display.js';
import { displayLocator } from '../paths/locator.js';
import type { Cli } from '../session/cli.js';
import { formatAge, formatScore, plural } from '../terminal/numbers.js';
import { renderTable } from '../terminal/table.js';
import type { ChangedRank, ChangedSetting, RunComparison } from './comparison.js';
import type { Figures } from './figures.js';
import type { AnsweredQuestion, SearchMode } from './run.js';
import type { Wanted } from './wanted.js';

/** The results of one mode. */
export interface ModeResult {
  readonly mode: SearchMode;
  readonly figures: Figures;
  readonly answered: readonly AnsweredQuestion[];
  /** Null if there is no earlier run. */
  readonly comparison: RunComparison | null;
}

/** Hits that are listed for a question without a wanted one. */
const shownHits = 3;

/** Prints the figures, the questions without a wanted hit, and the changes since the last run. */
export async function printReport(
  cli: Cli,
  results: readonly ModeResult[],
  problems: ReadonlyMap<Wanted, string>,
): Promise<void> {
  const { out } = cli;
  for (const line of figuresTable(results)) await out.line(line);
  for (const result of results) await printMisses(cli, result, problems);
  for (const { mode, comparison } of results)
    if (comparison !== null) await printComparison(cli, mode, comparison);
}

function figuresTable(results: readonly ModeResult[]): string[] {
  const right = (title: string) => ({ title, align: 'right' }) as const;
  return renderTable(
    [{ title: 'MODE' }, ...['QUESTIONS', 'FIRST', 'TOP 3', 'TOP 10', 'MRR', 'NDCG@10'].map(right)],
    results.map(({ mode, figures }) => [mode, String(figures.questions), ...cellsOf(figures)]),
  );
}

function cellsOf({ first, top3, top10, mrr, ndcg10 }: Figures): string[] {
  return [...[first, top3, top10].map(toPercent), mrr.toFixed(3), ndcg10.toFixed(3)];
}

function toPercent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

async function printMisses(
  cli: Cli,
  { mode, answered }: ModeResult,
  problems: ReadonlyMap<Wanted, string>,
): Promise<void> {
  const { out } = cli;
  const misses = answered.filter(({ rank }) => rank === null);
  if (misses.length === 0) return;
  await out.line();
  await out.line(out.style.bold(`${mode}: not found`));
  for (const { question, hits } of misses) {
    await out.line(`  line ${question.line}: ${out.safe(question.text)}`);
    for (const wanted of question.wanted) {
      const problem = problems.get(wanted);
      const suffix = problem === undefined ? '' : `  (${problem})`;
      await out.line(`    wanted  ${out.safeName(`${wanted.label}${suffix}`)}`);
    }
    if (hits.length === 0) await out.line('    found   nothing');
    for (const { source, locator, score } of hits.slice(0, shownHits)) {
      const place = out.safeName(`${displayUri(source, cli)}${displayLocator(locator)}`);
      const shown = score === null ? '' : `  ${out.style.dim(formatScore(score))}`;
      await out.line(`    found   ${place}${shown}`);
    }
  }
}

async function printComparison(
  cli: Cli,
  mode: SearchMode,
  { at, settings, figures, won, lost, not_compared }: RunComparison,
): Promise<void> {
  const { out } = cli;
  await out.line();
  await out.line(out.style.bold(`${mode}: since the last run, ${formatAge(at)}`));
  for (const setting of settings) await out.line(`  ${out.safe(describeSetting(setting))}`);
  if (figures !== null) {
    for (const line of figureChanges(figures)) await out.line(`  ${line}`);
    await out.line(`  ${countChanges(won.length, lost.length)}`);
  }
  for (const change of won)
    await out.line(`  ${out.style.green('better')}  ${describeChange(change, cli)}`);
  for (const change of lost)
    await out.line(`  ${out.style.red('worse')}   ${describeChange(change, cli)}`);
  if (not_compared > 0)
    await out.line(`  ${plural(not_compared, 'new, changed or removed question')} not compared`);
}

function countChanges(won: number, lost: number): string {
  if (won + lost === 0) return 'all questions have the same rank';
  return `${plural(won, 'question')} better, ${plural(lost, 'question')} worse`;
}

function describeSetting({ name, before, now }: ChangedSetting): string {
  return `changed  ${name}: ${before ?? 'none'} → ${now ?? 'none'}`;
}

/** Returns `first 60 % → 70 %` and so on, for figures that differ. */
function figureChanges({ before, now }: NonNullable<RunComparison['figures']>): string[] {
  const names = ['first', 'top 3', 'top 10', 'MRR', 'nDCG@10'];
  const [old, current] = [cellsOf(before), cellsOf(now)];
  const changes = names.flatMap((name, at) =>
    old[at] === current[at] ? [] : [`${name} ${old[at]} → ${current[at]}`],
  );
  return changes.length === 0 ? [] : [changes.join(', ')];
}

function describeChange({ question, before, now }: ChangedRank, { out }: Cli): string {
  return `${rankOf(before)} → ${rankOf(now)}  ${out.safe(question)}`;
}

function rankOf(rank: number | null): string {
  return rank === null ? 'not found' : String(rank);
}
