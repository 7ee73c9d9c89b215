/** Words that only the insides of the server, its drivers or a stack trace would use. */
const insides = [
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

/** Content of system files, which are in no source. */
const foreignFiles = [/^root:[^:\n]*:0:0:/m, /root:x:0:0/];

/** Why no answer may hold this text: a secret, or a file from outside the sources. Null when it may. */
export function leakIn(text, canaries) {
  if (canaries.some((canary) => text.includes(canary)))
    return 'a secret or a file from outside the sources';
  return foreignFiles.some((pattern) => pattern.test(text)) ? 'a file of the system' : null;
}

/** The part of an error's text that reveals the server's insides; null when there is none. */
export function insidesIn(words) {
  for (const pattern of insides) {
    const found = pattern.exec(words);
    if (found !== null) return found[0];
  }
  return null;
}
