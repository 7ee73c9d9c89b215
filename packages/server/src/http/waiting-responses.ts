import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes responses that wait behind another one when their connection ends. Node only notifies the response in
 * progress, so resources of pipelined requests would never be released.
 */
export function closeWaitingResponses(server: Server): void {
  const responses = new WeakMap<Socket, Set<ServerResponse>>();
  const remember = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const open = responses.get(socket) ?? new Set();
    if (!responses.has(socket)) {
      responses.set(socket, open);
      socket.once('close', () => open.forEach(closeWaiting));
    }
    // Node warns at more than ten listeners.
    response.setMaxListeners(20);
    open.add(response);
    response.once('close', () => open.delete(response));
    // The request arrived before the connection ended.
    if (socket.destroyed) setImmediate(closeWaiting, response);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.prependListener(event, remember);
  }
}

function closeWaiting(response: ServerResponse): void {
  const isWaiting = response.socket === null && !response.writableFinished && !response.closed;
  if (!isWaiting) return;
  response.destroy();
  response.emit('close');
}
