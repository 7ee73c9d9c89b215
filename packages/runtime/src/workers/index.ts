/* Threads and processes: the only place that starts them. */

export { CallPool, type CallPoolOptions, type RunOptions } from './call-pool.js';
export type { CallOperations } from './call-messages.js';
export { openWorkers, type OpenWorkers } from './open-workers.js';
export { runProgram, type ProgramEnd, type ProgramOptions } from './run-program.js';
export { serveCalls, type Handlers } from './serve-calls.js';
