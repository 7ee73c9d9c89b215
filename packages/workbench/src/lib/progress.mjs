/** `[ 7/120]`: how many are done, of how many. */
export function progress(done, all) {
  return `[${String(done).padStart(String(all).length)}/${all}]`;
}
