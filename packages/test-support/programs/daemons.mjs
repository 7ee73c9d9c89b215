import { spawn, spawnSync } from 'node:child_process';

/** util-linux can end a process with its parent. */
const tiedShell =
  spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0
    ? ['setpriv', '--pdeathsig', 'TERM', '--']
    : [];

/**
 * Child processes of a program until its standard input ends, even if its parent process dies. Leaves no process
 * behind.
 */
export class Daemons {
  /** Resolves when the program should end. */
  ended;
  #running = new Set();
  #isOver = false;

  constructor() {
    this.ended = new Promise((resolve) => {
      process.stdin.resume().once('close', resolve);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
    });
  }

  /** Starts a long-running process in its own process group. */
  start(program, args, stdio = 'ignore') {
    if (this.#isOver) throw new Error(`${program} cannot start after the end.`);
    const [command, ...rest] = [...tiedShell, program, ...args];
    const child = spawn(command, rest, { stdio, detached: true });
    const exit = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
    const daemon = { child, exit };
    this.#running.add(daemon);
    void exit.then(() => this.#running.delete(daemon));
    return daemon;
  }

  /** Runs a command to its end. Throws its output when it fails. */
  async run(program, args) {
    const { child, exit } = this.start(program, args, ['ignore', 'ignore', 'pipe']);
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    if ((await exit) !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${said}`);
  }

  /** Kills a process with all its descendants. */
  async kill({ child, exit }) {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    await exit;
  }

  async stop() {
    this.#isOver = true;
    await Promise.all([...this.#running].map((daemon) => this.kill(daemon)));
  }
}
