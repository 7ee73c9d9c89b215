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
  aliasOf,
} from './command.js';
export type { CompletionCandidate, Completer, Completions } from './completion/completer.js';
export { completionCommand } from './completion/completion-command.js';
export type { ArgumentDefs } from './definitions.js';
export { Exit, CommandError, UsageError, usageExitCode } from './errors.js';
export type { NameSuggestions } from './name-suggestions.js';
export type { HelpLayout } from './help.js';
export type { Program } from './program.js';
export {
  type ProgramEnvironment,
  helpHint,
  type RunningCommand,
  runProgram,
} from './run-program.js';
export { plainStyle, type Style, styleFor } from './style.js';
