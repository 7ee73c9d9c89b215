import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** After this much silence, no more data is expected on a connection. */
const quietMs = 600;
const maxTalkMs = 20_000;

/**
 * Runs a conversation. Resolves with `{ bytes, closed }`: all received data, and whether the server closed the
 * connection.
 */
export async function talk({ endpoint, fill }, { steps, ending }) {
  const { hostname, port } = new URL(endpoint);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const parts = [];
  let last = performance.now();
  let closed = false;
  socket.on('data', (part) => {
    parts.push(part);
    last = performance.now();
  });
  socket.on('error', () => {});
  socket.once('end', () => (closed = true));
  socket.once('close', () => (closed = true));
  for (const step of steps) {
    if (closed) break;
    if (step.send !== undefined) socket.write(fill(step.send), 'latin1');
    if (step.wait !== undefined) await sleep(step.wait);
    if (step.sleep !== undefined) {
      socket.pause();
      await sleep(step.sleep);
      socket.resume();
    }
  }
  last = performance.now();
  if (ending === 'half') socket.end();
  const deadline = performance.now() + (ending === 'abort' ? 0 : maxTalkMs);
  while (!closed && performance.now() < deadline && performance.now() - last < quietMs) {
    await sleep(20);
  }
  socket.destroy();
  return { bytes: Buffer.concat(parts), closed };
}
