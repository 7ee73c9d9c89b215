import { join } from 'node:path';

/** Where `trove serve` keeps its state. */
export function serveFiles(home: string) {
  const folder = join(home, 'serve');
  return {
    folder,
    pid: join(folder, 'server.pid'),
    log: join(folder, 'server.log'),
    lock: join(folder, 'start.lock'),
  };
}
