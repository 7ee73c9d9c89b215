import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const stateField = 0;
const startTimeField = 19;

/**
 * Returns a text that identifies a process among all with the same id. Returns undefined for missing processes and
 * zombies.
 */
export function processIdentity(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name in parentheses may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ['Z', 'X'].includes(fields[stateField] ?? 'X') ? undefined : fields[startTimeField];
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const [state = 'Z', ...started] = execFileSync(
      'ps',
      ['-o', 'state=,lstart=', '-p', String(pid)],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
