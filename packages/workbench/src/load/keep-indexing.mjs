import { add, jobEnded } from '../bench/measure/indexing.mjs';

/** Indexes a folder again and again, ignoring what is there. `stop()` resolves with how many times that succeeded. */
export function keepIndexing(client, target) {
  let stopped = false;
  const done = (async () => {
    for (let jobs = 0; ; jobs++) {
      await jobEnded(client, await add(client, target, { full: true }));
      if (stopped) return jobs;
    }
  })();
  // Until somebody waits for it.
  done.catch(() => undefined);
  return {
    stop: () => {
      stopped = true;
      return done;
    },
  };
}
