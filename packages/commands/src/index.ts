export type { Arguments } from './arguments.js';
export {
  type Command,
  command,
  type CommandBody,
  commandBody,
  type CommandSpec,
  type Example,
  type Group,
  group,
  lazyCommand,
  sameAs,
} from './command.js';
export type { Candidate, Completer, Completions } from './completion/completer.js';
export { completionCommand } from './completion/completion-command.js';
export type { ArgumentDefs } from './definitions.js';
export { Exit, Failure, UsageError, WRONG_USAGE } from './failure.js';
export type { Habits } from './habits.js';
export type { Layout } from './help.js';
export type { Program } from './program.js';
export { type Environment, helpHint, type Running, runProgram } from './run-program.js';
export { plainStyle, type Style, styleFor } from './style.js';
