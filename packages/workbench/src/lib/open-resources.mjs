import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const fileName = 'node-report.json';
const maxWaitMs = 5000;
const pollMs = 50;

/** Returns the options of Node for a process that `openResources` can examine. `folder` receives a file. */
export function reportOptions(folder) {
  return [
    '--report-on-signal',
    `--report-directory=${folder}`,
    `--report-filename=${fileName}`,
    '--report-signal=SIGUSR2',
  ];
}

/** Returns what keeps a child process alive, such as `tcp 127.0.0.1:5000 to 127.0.0.1:22`. Returns [] without an answer. */
export async function openResources(child, folder) {
  if (process.platform === 'win32') return [];
  child.kill('SIGUSR2');
  const deadline = performance.now() + maxWaitMs;
  let report = readReport(folder);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while (report === undefined && isRunning() && performance.now() < deadline) {
    await sleep(pollMs);
    report = readReport(folder);
  }
  const handles = report?.libuv ?? [];
  return handles.filter(({ is_active, is_referenced }) => is_active && is_referenced).map(describe);
}

/** Returns the report, or undefined until it is complete. */
function readReport(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, fileName), 'utf8'));
  } catch {
    return undefined;
  }
}

function describe({ type, pid, firesInMsFromNow, localEndpoint, remoteEndpoint }) {
  if (pid !== undefined) return `${type} ${pid}`;
  if (firesInMsFromNow !== undefined) return `${type} in ${firesInMsFromNow} ms`;
  const ends = [localEndpoint, remoteEndpoint].filter(Boolean).map(addressOf);
  return [type, ends.join(' to ')].join(' ').trim();
}

function addressOf(endpoint) {
  const { ip4, ip6, port } = endpoint;
  return port === undefined ? String(endpoint) : `${ip4 ?? ip6}:${port}`;
}
