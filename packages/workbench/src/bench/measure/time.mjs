/** Returns the duration of `run` in milliseconds. */
export async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
