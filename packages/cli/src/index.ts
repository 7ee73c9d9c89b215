export { main } from './main.js';
export type { Surroundings } from './session/cli.js';
export { type Output, type Sink, sink } from './terminal/output.js';
