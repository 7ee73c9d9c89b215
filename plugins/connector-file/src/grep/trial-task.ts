import { toWire, type WireError } from '../threads/errors.js';
import { YieldTimer } from '../threads/yield-timer.js';
import { grep, type GrepMatch, type GrepSummary, type GrepTask } from './grep-task.js';

/** Finished trials are sent this often, because others in the task may take long. */
const sendMs = 5;

/** The end of a trial. `index` is the position of its task. */
export type TrialAnswer = { readonly index: number } & (
  | { readonly matches: readonly GrepMatch[]; readonly summary: GrepSummary }
  | { readonly error: WireError }
);

/** Searches many sources, one after another. Each task must be a trial. */
export function* trials(tasks: readonly GrepTask[]): Generator<TrialAnswer[], null> {
  const timer = new YieldTimer(sendMs);
  let answers: TrialAnswer[] = [];
  for (const [index, task] of tasks.entries()) {
    answers.push(answerOf(index, task));
    if (!timer.isDue()) continue;
    yield answers;
    answers = [];
  }
  yield answers;
  return null;
}

function answerOf(index: number, task: GrepTask): TrialAnswer {
  const matches: GrepMatch[] = [];
  try {
    const batches = grep(task);
    for (;;) {
      const step = batches.next();
      if (step.done !== true) matches.push(...step.value);
      // An incomplete trial is repeated.
      else return { index, matches: step.value.parts === null ? matches : [], summary: step.value };
    }
  } catch (error) {
    return { index, error: toWire(error) };
  }
}
