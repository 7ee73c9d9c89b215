/** Words that occur only inside the server, its drivers or a stack trace. */
const internals = [
  /lance(db)?\b/i,
  /sqlite/i,
  /\bknex\b/i,
  /datafusion|arrow(error|-)/i,
  /node:internal|node_modules/,
  /\bat (async )?[\w.<>]+ \(?(file:|\/|node:)/,
  /\.(js|ts|mjs|rs):\d+/,
  /\b(TypeError|RangeError|ReferenceError|SyntaxError|AssertionError)\b/,
  /Cannot read propert|is not a function|is not iterable|Maximum call stack|undefined \(reading/,
  /\bE(ACCES|NOENT|ISDIR|NOTDIR|LOOP|MFILE|NAMETOOLONG|INVAL|PERM)\b/,
  /\[object Object\]/,
];

/** Content of system files that no source contains. */
const foreignFiles = [/^root:[^:\n]*:0:0:/m, /root:x:0:0/];

/**
 * Returns the reason why a response must not contain this text: a secret, or a file outside the sources. Otherwise
 * null.
 */
export function leakIn(text, canaries) {
  if (canaries.some((canary) => text.includes(canary)))
    return 'a secret or a file from outside the sources';
  return foreignFiles.some((pattern) => pattern.test(text)) ? 'a file of the system' : null;
}

/** Returns the part of an error's text that reveals internals of the server, or null. */
export function internalsIn(words) {
  for (const pattern of internals) {
    const found = pattern.exec(words);
    if (found !== null) return found[0];
  }
  return null;
}
