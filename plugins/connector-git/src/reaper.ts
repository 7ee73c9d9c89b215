import { spawn, type ChildProcess } from 'node:child_process';
import { platform } from 'node:os';

/** Tracks running process groups from its input, and kills the remaining groups when the input ends. */
const script = `
running=' '
while read -r change group; do
  case $change in
    start) running="$running$group " ;;
    end) running="\${running%% $group *} \${running#* $group }" ;;
  esac
done
for group in $running; do kill -KILL "-$group"; done`;

/** The shell stays this long without a group, because starting it takes as long as a short git call. */
const idleMs = 5000;

/** Kills process groups when this process ends. A separate shell does it, because this process may be killed. */
class Reaper {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** Starts the shell. Call it before a group starts, because the shell starts more slowly. */
  prepare(): void {
    clearTimeout(this.#idle);
    this.#shell ??= startShell();
  }

  start(group: number): void {
    this.#groups.add(group);
    this.#tell('start', group);
  }

  end(group: number): void {
    if (!this.#groups.delete(group)) return;
    this.#tell('end', group);
    if (this.#groups.size > 0) return;
    this.#idle = setTimeout(() => {
      this.#shell?.stdin?.end();
      this.#shell = null;
    }, idleMs).unref();
  }

  #tell(change: 'start' | 'end', group: number): void {
    this.#shell?.stdin?.write(`${change} ${group}\n`);
  }
}

function startShell(): ChildProcess {
  const shell = spawn('sh', ['-c', script], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined).unref();
  shell.stdin.on('error', () => undefined);
  return shell;
}

/** Absent on Windows, which has neither process groups nor this shell. */
export const reaper = platform() === 'win32' ? null : new Reaper();
