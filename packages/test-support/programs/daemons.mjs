import { spawn, spawnSync } from 'node:child_process';

/** util-linux can have a process end with its parent, however that ends. */
const tiedShell =
  spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0
    ? ['setpriv', '--pdeathsig', 'TERM', '--']
    : [];

/**
 * What a program runs beside itself until its standard input ends, which it does however the process that started the program
 * dies. Nothing of it is left then.
 */
export class Daemons {
  /** Resolves when it is time to end. */
  ended;
  #running = new Set();
  #isOver = false;

  constructor() {
    this.ended = new Promise((resolve) => {
      process.stdin.resume().once('close', resolve);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
    });
  }

  /** Starts what goes on until it is killed, in a process group of its own. */
  start(program, args, stdio = 'ignore') {
    if (this.#isOver) throw new Error(`${program} is not started any more.`);
    const [command, ...rest] = [...tiedShell, program, ...args];
    const child = spawn(command, rest, { stdio, detached: true });
    const exit = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
    const daemon = { child, exit };
    this.#running.add(daemon);
    void exit.then(() => this.#running.delete(daemon));
    return daemon;
  }

  /** Runs what ends by itself; throws what it said when it fails. */
  async run(program, args) {
    const { child, exit } = this.start(program, args, ['ignore', 'ignore', 'pipe']);
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    if ((await exit) !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${said}`);
  }

  /** Kills one with all that it has started. */
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
