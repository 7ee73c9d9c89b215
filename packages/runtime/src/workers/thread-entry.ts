import { giveWay } from './give-way.js';

// The entry point of threads of low priority. To load their modules takes a tenth of a second of the processor already.

giveWay();
await import(process.argv[2] ?? '');
