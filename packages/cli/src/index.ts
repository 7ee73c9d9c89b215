export { main } from './main.js';
export type { CliContext } from './session/cli.js';
export { type OutputSinks, type Sink, createSink } from './terminal/output.js';
