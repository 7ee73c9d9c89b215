import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const maxCalls = 4;
/** Bytes that an agent reads of the output of a command, and of a file. */
const maxOutputBytes = 4096;
const maxFileBytes = 8192;
const fileLines = 120;
const minWordChars = 4;
const stopWords = new Set(
  'about after again against belongs does from have into long many most much obey only same stand than that their them they this under used using what when where which while will with your'.split(
    ' ',
  ),
);

/**
 * Answers a question with the tools of the server: it searches for the question, reads around the best hits, and does both
 * again with its second query. Returns the calls, the bytes that it read, and whether they contain the evidence.
 */
export async function askWithTools(callTool, [question, secondQuery, evidence]) {
  const session = new Session(evidence);
  const attempts = [
    { search: { query: question }, read: { context: 8, max_tokens: 500 } },
    { search: { query: secondQuery, limit: 3 }, read: { context: 25, max_tokens: 800 } },
  ];
  for (const { search, read } of attempts) {
    const found = await callTool('search', search);
    if (session.read(found.text)) break;
    const [uri, ...more_uris] = found.data.hits.slice(0, 2).map((hit) => hit.uri);
    if (uri === undefined) continue;
    if (session.read((await callTool('read', { uri, more_uris, ...read })).text)) break;
  }
  return session.result();
}

/**
 * Answers a question with ripgrep: it looks for the rarest word of both queries, then reads the files with the most
 * words of it, around their densest lines. Counting the words costs it nothing.
 */
export function askWithRipgrep(folder, [question, secondQuery, evidence]) {
  const session = new Session(evidence);
  const words = [
    ...new Set(`${question} ${secondQuery}`.toLowerCase().match(/[\p{L}\d_.]+/gu)),
  ].filter((word) => word.length >= minWordChars && !stopWords.has(word));
  const files = new Map(words.map((word) => [word, filesWith(folder, word)]));
  const [rarest] = words
    .filter((word) => files.get(word).length > 0)
    .sort((a, b) => files.get(a).length - files.get(b).length);
  if (rarest === undefined) return session.result();
  const lines = ripgrep(folder, ['-n', '--max-columns', '200', '-e', rarest]);
  if (session.read(lines.slice(0, maxOutputBytes))) return session.result();
  const scores = new Map();
  for (const each of files.values())
    for (const file of each) scores.set(file, (scores.get(file) ?? 0) + 1 / each.length);
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, maxCalls - 1);
  for (const [file] of best) {
    if (session.read(densestPart(join(folder, file), words))) return session.result();
  }
  return session.result();
}

function filesWith(folder, word) {
  return ripgrep(folder, ['-l', '-e', word]).split('\n').filter(Boolean);
}

function ripgrep(folder, args) {
  try {
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 };
    return execFileSync('rg', ['-i', '-F', '--sort', 'path', ...args, '.'], options);
  } catch (error) {
    if (error.status === 1) return '';
    throw error;
  }
}

/** Returns the lines of a file around those with the most words. */
function densestPart(path, words) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const hits = lines.map(
    (line) => words.filter((word) => line.toLowerCase().includes(word)).length,
  );
  const sums = hits.map((_, at) => hits.slice(at, at + fileLines).reduce((a, b) => a + b, 0));
  const start = sums.indexOf(Math.max(...sums));
  return lines
    .slice(start, start + fileLines)
    .join('\n')
    .slice(0, maxFileBytes);
}

/** What an agent has read for a question. */
class Session {
  #evidence;
  #calls = 0;
  #bytes = 0;
  #isFound = false;

  constructor(evidence) {
    this.#evidence = evidence;
  }

  /** Counts a call. Returns whether the text contains the evidence. */
  read(text) {
    this.#calls += 1;
    this.#bytes += Buffer.byteLength(text);
    this.#isFound = this.#evidence.test(text);
    return this.#isFound;
  }

  result() {
    return { calls: this.#calls, bytes: this.#bytes, isFound: this.#isFound };
  }
}
