import { add, jobEnded } from '../bench/measure/indexing.mjs';

/** Indexes a folder repeatedly, even unchanged files. `stop()` resolves with the number of successful runs. */
export function keepIndexing(client, target) {
  let stopped = false;
  const done = (async () => {
    for (let jobs = 0; ; jobs++) {
      await jobEnded(client, await add(client, target, { full: true }));
      if (stopped) return jobs;
    }
  })();
  // Handled when `stop` is called.
  done.catch(() => undefined);
  return {
    stop: () => {
      stopped = true;
      return done;
    },
  };
}
