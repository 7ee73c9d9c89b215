import { lowerPriority } from './priority.js';

// The entry point of threads of low priority. To load their modules takes a tenth of a second of the processor already.

lowerPriority();
await import(process.argv[2] ?? '');
