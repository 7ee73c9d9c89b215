import { workerData } from 'node:worker_threads';
import { giveWay } from './give-way.js';
import type { ThreadEntryStart } from './messages.js';

// The entry point of a pool's threads. To load their modules takes a tenth of a second of the processor already.

const { module, isAwaited }: ThreadEntryStart = workerData;
if (!isAwaited) giveWay();
await import(module);
