import * as fc from 'fast-check';

import { Violation } from '../findings.mjs';
import { anyDraft } from './drafts.mjs';

const lanes = 4;
const shrinkingMs = 20_000;

/**
 * Runs requests in rounds of several concurrent lanes. An even seed makes a quiet round, where nothing changes and
 * equal requests must get equal responses. An odd seed also adds, syncs, cancels and removes sources.
 */
export function makeRounds({ contract, exchange, findings, settle }) {
  const property = (quiet) =>
    fc.asyncProperty(anyDraft(contract, { quiet }), async (draft) => {
      try {
        await exchange(draft, { quiet });
      } catch (error) {
        // Known faults must not hide others.
        if (error instanceof Violation && findings.knows(error.key)) return;
        throw error;
      }
    });
  const properties = { true: property(true), false: property(false) };

  async function lane(seed, runs, path) {
    const quiet = seed % 2 === 0;
    const result = await fc.check(properties[quiet], {
      seed,
      numRuns: runs,
      ...(path === undefined ? {} : { path }),
      interruptAfterTimeLimit: shrinkingMs,
      markInterruptAsFailure: false,
    });
    // A lane that ran out of time before its first response counts as failed, without an error.
    const { errorInstance: error, counterexamplePath } = result;
    if (!result.failed || error === null) return;
    if (!(error instanceof Violation)) throw new Error('a round broke off', { cause: error });
    const again = `npm run fuzz -- --only requests --seed ${seed} --path ${counterexamplePath}`;
    findings.add(error, again);
  }

  return {
    /** Runs one round of `runs` requests in each lane. */
    async round(seed, runs) {
      const first = (seed * lanes * 2) % 2 ** 30;
      for (const quiet of [0, 1]) {
        const seeds = Array.from({ length: lanes }, (_, at) => first + at * 2 + quiet);
        await Promise.all(seeds.map((each) => lane(each, runs)));
        if (quiet === 1) await settle();
      }
    },
    again: (seed, path) => lane(seed, 1, path),
  };
}
