/** How long work takes, in milliseconds. */
export async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
