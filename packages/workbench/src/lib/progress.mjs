/** Formats progress as `[ 7/120]`. */
export function progress(done, all) {
  return `[${String(done).padStart(String(all).length)}/${all}]`;
}
