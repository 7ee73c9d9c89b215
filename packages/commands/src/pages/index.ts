export { listCommands, type NamedCommand } from './command-list.js';
export { type ManSection, renderMan } from './man.js';
export { renderReference } from './reference.js';
