import { spawn, type ChildProcess } from 'node:child_process';
import { platform } from 'node:os';

/** Reads which process groups run, and kills those left once its input ends, which the system sees to. */
const script = `
running=' '
while read -r change group; do
  case $change in
    start) running="$running$group " ;;
    end) running="\${running%% $group *} \${running#* $group }" ;;
  esac
done
for group in $running; do kill -KILL "-$group"; done`;

/** Starting a shell takes as long as a short call of git. */
const idleMs = 5000;

/** Kills process groups when this process ends, however it does: only another process can see that it was killed. */
class Reaper {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** To be called before a group starts: the shell takes longer to start than the group that it has to know of. */
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
