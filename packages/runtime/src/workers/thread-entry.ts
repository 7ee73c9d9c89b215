import { lowerPriority } from './priority.js';

// The entry point of threads with low priority. Lowers it first, because loading the module takes 0.1 s of CPU
// time.

lowerPriority();
await import(process.argv[2] ?? '');
