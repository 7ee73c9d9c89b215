import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts one of the floors in its own process. `ask(message)` resolves with its answer, and `stop()` ends it. */
export function startChild(file) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, LANCEDB_LOG: 'error' },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    async ask(message) {
      const answered = new Promise((resolve) => child.once('message', resolve));
      child.send(message);
      const result = await Promise.race([answered, ended.then(() => ({ error: 'it ended' }))]);
      if (result.error !== undefined) throw new Error(`${file}: ${result.error}`);
      return result;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Returns the answer of such a process to one message. */
export async function askOnce(file, message) {
  const child = startChild(file);
  try {
    return await child.ask(message);
  } finally {
    await child.stop();
  }
}

/** Called in the process: answers each message with the result of `work`. */
export function answerWith(work) {
  process.on('message', (message) => void answer(work, message));
}

async function answer(work, message) {
  try {
    process.send(await work(message));
  } catch (error) {
    process.send({ error: error.stack });
  }
}
