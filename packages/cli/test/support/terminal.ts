import { Writable } from 'node:stream';

import { main } from '../../src/main.js';
import { createSink } from '../../src/terminal/output.js';

interface Options {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user's answer to a question, which is printed with the errors. */
  readonly answer?: boolean;
}

/** Runs a command line in this process, with two terminals of 80 columns as streams. */
export async function runOnTerminal(args: readonly string[], { cwd, env, answer }: Options) {
  const out = screen();
  const err = screen();
  const code = await main(args, {
    out: createSink(out.stream, env),
    err: createSink(err.stream, env),
    cwd,
    env,
    confirm: async (question) => {
      err.stream.write(question);
      return answer === true;
    },
  });
  return { code, stdout: out.text(), stderr: err.text() };
}

function screen() {
  let text = '';
  const stream = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString('utf8');
        done();
      },
    }),
    { isTTY: true, columns: 80 },
  );
  return { stream, text: () => text };
}
