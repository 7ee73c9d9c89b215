import { openPostgresMetadata } from '@trove/test-support/metadata-database.js';
import { ScheduleWorker } from './schedule-worker.js';

/* A worker in a process of its own. It works whenever it receives a time, and answers with the number of its jobs. */

const [dsn = '', name = '', maxJobs = '', leaseMs = ''] = process.argv.slice(2);
const store = await openPostgresMetadata(dsn);
const worker = new ScheduleWorker(store, {
  name,
  maxJobs: Number(maxJobs),
  leaseMs: Number(leaseMs),
});

process.on('message', ([due, now]: [number, number]) => {
  worker
    .queueDue(due)
    .then(() => worker.work(now))
    .then(
      () => process.send?.(worker.running),
      (error: unknown) => process.send?.(String(error)),
    );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
