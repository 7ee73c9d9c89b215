import { figuresOf, type Figures } from './figures.js';
import type { RunSettings, SavedAnswer, SavedRun } from './saved-run.js';

/** A question whose rank differs. Null: not found. */
export interface ChangedRank {
  readonly question: string;
  readonly before: number | null;
  readonly now: number | null;
}

export interface ChangedSetting {
  readonly name: string;
  /** Null: the run did not have it. */
  readonly before: string | null;
  readonly now: string | null;
}

/** The difference between two runs in one mode. */
export interface RunComparison {
  /** When the earlier run was saved. */
  readonly at: string;
  readonly settings: readonly ChangedSetting[];
  /** Figures over the questions of both runs. Null if there are none. */
  readonly figures: { readonly before: Figures; readonly now: Figures } | null;
  readonly won: readonly ChangedRank[];
  readonly lost: readonly ChangedRank[];
  /** Number of questions that only one of the runs has, or whose wanted places differ. */
  readonly not_compared: number;
}

/** Compares a run with an earlier one. */
export function compareRuns(before: SavedRun, now: SavedRun): RunComparison {
  const earlier = new Map(before.answers.map((answer) => [keyOf(answer), answer]));
  const pairs = now.answers.flatMap((answer) => {
    const old = earlier.get(keyOf(answer));
    return old === undefined ? [] : [{ old, answer }];
  });
  const changes = pairs
    .map(({ old, answer }) => ({ question: answer.question, before: old.rank, now: answer.rank }))
    .filter((change) => change.before !== change.now);
  return {
    at: before.at,
    settings: changedSettings(before.settings, now.settings),
    figures:
      pairs.length === 0
        ? null
        : {
            before: figuresOf(pairs.map(({ old }) => old)),
            now: figuresOf(pairs.map(({ answer }) => answer)),
          },
    won: changes.filter(isBetter),
    lost: changes.filter((change) => !isBetter(change)),
    not_compared: before.answers.length + now.answers.length - 2 * pairs.length,
  };
}

function isBetter({ before, now }: ChangedRank): boolean {
  return (now ?? Infinity) < (before ?? Infinity);
}

function changedSettings(before: RunSettings, now: RunSettings): ChangedSetting[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .map((name) => ({ name, before: before[name] ?? null, now: now[name] ?? null }))
    .filter((setting) => setting.before !== setting.now);
}

function keyOf({ question, wanted }: SavedAnswer): string {
  return JSON.stringify([question, wanted]);
}
