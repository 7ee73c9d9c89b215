import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const binPath = fileURLToPath(new URL('../../bin/trove.js', import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home: string;
  /** A file descriptor for its output. Default: a pipe. */
  readonly stdout?: number;
}

/** Starts the command as a process with its own environment. */
export function spawnTrove(args: readonly string[], options: Options): ChildProcess {
  const { PATH, TMPDIR } = process.env;
  return spawn(process.execPath, [binPath, ...args], {
    cwd: options.cwd ?? options.home,
    env: { PATH, TMPDIR, HOME: options.home, TROVE_HOME: options.home, ...options.env },
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
  });
}

/** Runs the command to its end. */
export async function runTrove(args: readonly string[], options: Options): Promise<Result> {
  const child = spawnTrove(args, options);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, stdout: stdout(), stderr: stderr() };
}

/** Collects the output of a stream. The returned function gives the text so far. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  return () => text;
}
