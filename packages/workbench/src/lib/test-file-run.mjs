import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { inSources } from './compiled-tests.mjs';
import { openResources, reportOptions } from './open-resources.mjs';
import { processMark, killAll, survivors } from './processes.mjs';
import { root } from './workspaces.mjs';

const graceMs = 3000;
const pollMs = 50;
/**
 * Leftovers of killed programs in the folder of temporary files: LanceDB's and our own, Chromium's, and the cache of
 * tsx.
 */
const mayStay = /^(\.tmp\w{6}|\.org\.chromium\.Chromium\.\w{6}|trove-worker-[\w-]{36}|tsx-\d+)$/;

/** The running files as `{ group, mark, folder }`. Their groups do not receive this process's signals. */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const { group, mark, folder } of running) {
      killAll(survivors(group, mark));
      rmSync(folder, { recursive: true, force: true });
    }
    process.exit(130);
  });
}

/**
 * Runs the `program` of one test file in its own process group, with its own folder for temporary files and the
 * variables of `env` that are not settings of Trove. Returns `{ output, passed, failed, failedTests, skipped, reasons,
 * problems, seconds }`. The file passed if `failed` is 0. `problems` describes faults besides failed tests.
 */
export async function runTestFile(file, env = process.env) {
  const started = performance.now();
  const mark = randomUUID();
  const folder = await mkdtemp(join(tmpdir(), 'trove-test-'));
  // Some servers run as other users.
  await chmod(folder, 0o1777);
  const ended = await execute(file, { mark, folder, env });
  const files = (await readdir(folder)).filter((name) => !mayStay.test(name));
  await rm(folder, { recursive: true, force: true });
  const counts = parseSummaries(ended.output);
  const problems = problemsOf(file, { ...ended, files }, counts);
  const { total, passed, failedTests, skipped, reasons } = counts;
  return {
    output: inSources(ended.output),
    passed,
    failed: Math.max(total - passed, problems.length > 0 ? 1 : 0),
    failedTests,
    skipped,
    reasons,
    problems,
    seconds: (performance.now() - started) / 1000,
  };
}

async function execute(file, { mark, folder, env }) {
  const child = spawn(process.execPath, [...reportOptions(folder), file.program], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...neutralEnvironment(env),
      [processMark]: mark,
      NO_COLOR: '1',
      TMPDIR: folder,
      TMP: folder,
      TEMP: folder,
    },
  });
  const entry = { group: child.pid, mark, folder };
  running.add(entry);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const closed = new Promise((resolve) => child.once('close', resolve));
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  let timedOut = false;
  let open = [];
  const stop = async () => {
    timedOut = true;
    open = await openResources(child, folder);
    killAll([...survivors(child.pid, mark), { pid: child.pid }]);
  };
  const timer = setTimeout(() => void stop(), file.timeoutMs);
  const { code, signal } = await exited;
  clearTimeout(timer);
  const left = timedOut ? [] : await leftovers(child.pid, mark);
  killAll(left);
  await closed;
  running.delete(entry);
  return { output, code, signal, timedOut, open, left };
}

/** Returns the environment without colours and personal settings. */
function neutralEnvironment(env) {
  const kept = ([name]) => name !== 'FORCE_COLOR' && !/^TROVE_(?!TEST_)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(kept));
}

/** Returns processes that still live some seconds after the end of the file and that nothing would stop. */
async function leftovers(group, mark) {
  const deadline = performance.now() + graceMs;
  let left = survivors(group, mark);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(pollMs);
    left = survivors(group, mark);
  }
  return left;
}

/** Adds up uvu's summaries. Collects the names of failed tests and the lines `skip: reason` of skipped ones. */
function parseSummaries(output) {
  const pattern = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm;
  const summaries = [...output.matchAll(pattern)].map((match) => match.slice(1).map(Number));
  const sum = (index) => summaries.reduce((all, counts) => all + counts[index], 0);
  const reasons = [...output.matchAll(/(?:^|• )\s*skip: (.+)$/gm)].map((match) => match[1]);
  return {
    summaries: summaries.length,
    total: sum(0),
    passed: sum(1),
    skipped: sum(2),
    failedTests: [...output.matchAll(/^ +FAIL +.*?("[^\n]*")$/gm)].map((match) => match[1]),
    reasons,
  };
}

function timeoutProblem({ timeoutMs }, open) {
  const waits = open.length === 0 ? '' : `, open: ${open.join(', ')}`;
  return `timed out after ${timeoutMs / 1000} s${waits}`;
}

function problemsOf(file, ended, counts) {
  const problems = [];
  if (ended.timedOut) problems.push(timeoutProblem(file, ended.open));
  else if (counts.summaries === 0) problems.push('no summary: does the file end with .run()?');
  else if (counts.total + counts.skipped === 0) problems.push('no test in this file');
  if (!ended.timedOut && (ended.code !== 0 || ended.signal)) {
    problems.push(`ended with ${ended.signal ?? `exit code ${ended.code}`}`);
  }
  // uvu swallows errors of a `before` hook and still exits with 0.
  if (ended.code === 0 && counts.passed < counts.total) problems.push('a hook failed silently');
  if (counts.skipped > counts.reasons.length) {
    problems.push(`${counts.skipped} skipped, ${counts.reasons.length} "skip: reason" lines`);
  }
  for (const { pid, command } of ended.left) {
    problems.push(`left process ${pid} running: ${command}`);
  }
  // A failed file may not have reached its clean-up.
  if (counts.passed === counts.total && ended.code === 0 && ended.files.length > 0) {
    problems.push(`left in the folder of temporary files: ${ended.files.join(', ')}`);
  }
  return problems;
}
