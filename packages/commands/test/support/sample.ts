import { command, commandBody, group, lazyCommand, aliasOf } from '../../src/command.js';
import { completionCommand } from '../../src/completion/completion-command.js';
import type { Program } from '../../src/program.js';
import { type ProgramEnvironment, runProgram } from '../../src/run-program.js';
import { plainStyle } from '../../src/style.js';

/** The arguments of a command of the sample. */
export interface Call {
  readonly name: string;
  readonly values: Record<string, unknown>;
}

export interface Context {
  readonly calls: Call[];
  readonly out: { write(text: string): Promise<void> };
}

const find = command({
  name: 'find',
  description: 'Find lines',
  args: {
    pattern: { type: 'positional', description: 'What to find' },
    paths: {
      type: 'positional',
      repeats: true,
      required: false,
      completes: 'object',
      description: 'Where',
    },
    'ignore-case': { type: 'boolean', alias: 'i', description: 'Upper case is lower case' },
    'max-count': { type: 'string', alias: 'm', valueHint: 'N', description: 'At most N lines' },
    mode: { type: 'string', valueHint: 'all|first', description: 'Which lines' },
    glob: { type: 'string', alias: 'g', repeats: true, description: 'Only such files' },
    'no-wait': { type: 'boolean', description: 'Do not wait' },
    color: { type: 'boolean', default: true, description: 'No colours' },
    from: { type: 'string', completes: 'file', valueHint: 'FILE', description: 'Read from a file' },
  },
  errorExit: 2,
  notes: ['A note of `find`.'],
  examples: [{ command: "sample find 'a\\w' ./src", does: 'lines with an a' }],
  async run(args, { calls }: Context) {
    calls.push({
      name: 'find',
      values: {
        pattern: args.required('pattern'),
        paths: args.texts('paths'),
        ignoreCase: args.flag('ignore-case'),
        maxCount: args.integer('max-count'),
        mode: args.oneOf('mode', ['all', 'first']),
        glob: args.texts('glob'),
        noWait: args.flag('no-wait'),
        color: args.optionalFlag('color'),
        from: args.text('from'),
      },
    });
  },
});

/** A program with a command of each kind. `loads` lists the loaded lazy commands. */
export function sample(loads: string[] = []): Program<Context> {
  const show = lazyCommand<Context>('show', 'Show a job', async () => {
    loads.push('show');
    return commandBody({
      args: { id: { type: 'positional', completes: 'job', description: 'Its id' } },
      examples: [{ command: 'sample job show 1', does: 'a job' }],
      async run(args, { calls }: Context) {
        calls.push({ name: 'show', values: { id: args.required('id') } });
      },
    });
  });
  const root = group<Context>(
    'sample',
    'Try the framework',
    [
      find,
      aliasOf({ ...find, name: 'search' }, 'sample find'),
      group('job', 'Jobs', [show]),
      completionCommand('sample', 'commands'),
    ],
    ['First steps\n  sample find x'],
  );
  return {
    root,
    globals: {
      json: { type: 'boolean', description: 'Print JSON' },
      profile: { type: 'string', completes: 'profile', description: 'A profile' },
      help: { type: 'boolean', alias: 'h', description: 'Show this help' },
    },
    nameSuggestions: {
      commands: new Map([['sample list', 'sample job show']]),
      options: new Map([['include', "-g 'GLOB'"]]),
      synonyms: [{ names: new Set(['n', 'limit']), ownNames: ['max-count'] }],
    },
    completers: {
      job: async (typed) => ({
        candidates: [{ value: `${typed}7`, description: 'done' }],
        withFiles: false,
      }),
    },
    version: () => '1.2.3',
  };
}

/** Runs a command line of the sample. Returns its output and the commands that ran. */
export async function runSample(
  words: readonly string[],
  program = sample(),
): Promise<{ printed: string; calls: Call[] }> {
  let printed = '';
  const calls: Call[] = [];
  const write = async (text: string) => {
    printed += text;
  };
  const environment: ProgramEnvironment<Context> = {
    layout: { style: plainStyle },
    write,
    open: () => ({ calls, out: { write } }),
  };
  await runProgram(program, words, environment);
  return { printed, calls };
}
