export { commandsBelow, type NamedCommand } from './commands-below.js';
export { type ManSection, renderMan } from './man.js';
export { renderReference } from './reference.js';
