import { join } from 'node:path';

/** Returns the paths of the state of `trove serve`. */
export function serveFiles(home: string) {
  const folder = join(home, 'serve');
  return {
    folder,
    pid: join(folder, 'server.pid'),
    service: join(folder, 'service.json'),
    log: join(folder, 'server.log'),
    lock: join(folder, 'start.lock'),
  };
}
