import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { Exit, UsageError } from '@trove/commands';

import { compareRuns } from '../evaluation/comparison.js';
import { figuresOf, type Figures } from '../evaluation/figures.js';
import { resolveHeadings } from '../evaluation/headings.js';
import { findProblems } from '../evaluation/problems.js';
import { readQuestions } from '../evaluation/questions-file.js';
import { printReport, type ModeResult } from '../evaluation/report.js';
import {
  runQuestions,
  searchModes,
  type AnsweredQuestion,
  type SearchMode,
} from '../evaluation/run.js';
import { readRun, runFile, saveRun, type SavedRun } from '../evaluation/saved-run.js';
import { settingsOf } from '../evaluation/settings.js';
import { withElapsedTime } from '../graph/build-progress.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { optionsOf } from './parameters.js';
import { pathFilterArgs, pathFilterOf } from './path-filter.js';

const belowMinimumExitCode = 1;
const errorExitCode = 2;
/** The figures count ten hits. Twenty questions with many more could exceed the size of a response. */
const hitLimits = { least: 10, most: 100 } as const;

const options = optionsOf('search', {
  omit: ['path', 'glob', 'type', 'mode', 'offset', 'snippet', 'max_bytes', 'explain', 'sort'],
  change: {
    top_k: {
      alias: 'k',
      description: 'Number of hits in which a wanted place is looked for, 10 to 100 (default 10)',
    },
    kind: { valueHint: 'KINDS' },
  },
});

/** Options for the least acceptable figures. */
const minimums = {
  'min-first': 'first',
  'min-top3': 'top3',
  'min-top10': 'top10',
  'min-mrr': 'mrr',
  'min-ndcg': 'ndcg10',
} as const satisfies Readonly<Record<string, keyof Figures>>;
type MinimumName = keyof typeof minimums;

const minimumOption = (figure: string) =>
  ({
    type: 'string',
    valueHint: 'SHARE',
    description: `Exit with 1 if ${figure} is lower than this, 0 to 1`,
  }) as const;

export const evalCommand = command({
  name: 'eval',
  description: 'Ask your own questions and measure whether search finds the wanted places',
  args: {
    file: {
      type: 'positional',
      completes: 'file',
      description: 'A file with one question per line, as JSON',
    },
    path: {
      type: 'positional',
      required: false,
      completes: 'object',
      description: 'Search only this source, folder or object (default: everywhere)',
    },
    mode: {
      type: 'string',
      valueHint: searchModes.join('|'),
      repeats: true,
      description: 'Kind of retrieval to measure (default hybrid). Can be repeated',
    },
    ...options.args,
    ...pathFilterArgs,
    name: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Compare with the last run of this name (default: of this file)',
    },
    'min-first': minimumOption('the share of questions with a wanted first hit'),
    'min-top3': minimumOption('the share with a wanted place in the first three hits'),
    'min-top10': minimumOption('the share with a wanted place in the first ten hits'),
    'min-mrr': minimumOption('the mean reciprocal rank'),
    'min-ndcg': minimumOption('nDCG@10'),
    save: {
      type: 'boolean',
      default: true,
      description: 'Measure and compare without storing the results',
    },
  },
  notes: [
    'A line is `{"question": "how are tokens rotated", "wanted": ["docs/tokens.md"]}`. A wanted place is a path or URI of ' +
      'an object or folder, also with lines (`a.md:12-20`), a heading or definition (`a.md#Rotation`) or a record ' +
      '(`rows.jsonl:{"id":7}`), or a text in quotes that the hit contains. Paths are relative to the folder of the file. ' +
      'Any of the places answers the question. Hits in the file itself are left out.',
    'FIRST, TOP 3 and TOP 10 are the shares of questions with a wanted place among so many hits. MRR is the mean of ' +
      '1/rank of the first one. nDCG@10 also counts further wanted places.',
    'Stores the results in the home. The next run shows what became better or worse, and which settings changed.',
    'Exits with 0, with 1 if a figure is below its minimum in any mode, and with 2 after an error.',
  ],
  examples: [
    { command: 'trove eval questions.jsonl', does: 'measure, and compare with the last run' },
    {
      command: 'trove eval questions.jsonl --mode hybrid --mode keyword',
      does: 'measure two modes',
    },
    {
      command: 'trove eval questions.jsonl --min-top3 0.9',
      does: 'fail if fewer than 90 % of the questions have a wanted place in the first three hits',
    },
  ],
  errorExit: errorExitCode,
  async run(args, cli) {
    const file = resolve(cli.cwd, args.required('file'));
    const path = args.text('path');
    const modes = parseModes(args.texts('mode'));
    const required = parseMinimums((name) => args.text(name));
    const query = {
      ...options.request(args),
      ...pathFilterOf(args),
      path: path === undefined ? undefined : toTarget(path, cli.cwd, cli.uploadedFolders),
      top_k: parseHits(args.integer('top-k')),
    };
    const target = toTarget(file, cli.cwd, cli.uploadedFolders);
    const read = readQuestions(file, cli.uploadedFolders);
    const { questions, unresolved } = await resolveHeadings(cli, read);
    const answers = await withElapsedTime(cli, 'Searching', async () => {
      const byMode = new Map<SearchMode, AnsweredQuestion[]>();
      for (const mode of modes)
        byMode.set(mode, await runQuestions(cli, questions, { ...query, mode, file: target }));
      return byMode;
    });
    const name = args.text('name') ?? realpathSync(file);
    const settings = await settingsOf(cli, query, [...answers.values()].flat());
    const results: ModeResult[] = [];
    for (const [mode, answered] of answers) {
      const run = toRun(answered, settings);
      const saved = runFile(cli.home, name, mode);
      const before = readRun(saved);
      results.push({
        mode,
        figures: figuresOf(answered),
        answered,
        comparison: before === null ? null : compareRuns(before, run),
      });
      if (args.flag('save')) saveRun(saved, run);
    }
    const problems = await findProblems(cli, results, unresolved);
    if (cli.json) await cli.printJson({ file, settings, modes: results.map(toJson) });
    else await printReport(cli, results, problems);
    await failBelow(cli, results, required);
  },
});

function parseModes(texts: readonly string[]): readonly SearchMode[] {
  const modes = texts.map((text) => {
    const mode = searchModes.find((each) => each === text);
    if (mode === undefined) throw new UsageError(`--mode must be one of ${searchModes.join(', ')}`);
    return mode;
  });
  return modes.length === 0 ? ['hybrid'] : [...new Set(modes)];
}

function parseHits(count: number = hitLimits.least): number {
  if (count >= hitLimits.least && count <= hitLimits.most) return count;
  throw new UsageError(`--top-k must be from ${hitLimits.least} to ${hitLimits.most}`);
}

type Minimums = Readonly<Partial<Record<MinimumName, number>>>;

function isMinimum(name: string): name is MinimumName {
  return name in minimums;
}
const minimumNames = Object.keys(minimums).filter(isMinimum);

function parseMinimums(textOf: (name: MinimumName) => string | undefined): Minimums {
  return Object.fromEntries(
    minimumNames.flatMap((name) => {
      const text = textOf(name);
      if (text === undefined) return [];
      const share = Number(text);
      if (text.trim() === '' || !(share >= 0 && share <= 1))
        throw new UsageError(`--${name} must be a number from 0 to 1`);
      return [[name, share]];
    }),
  );
}

function toRun(answered: readonly AnsweredQuestion[], settings: SavedRun['settings']): SavedRun {
  return {
    at: new Date().toISOString(),
    settings,
    answers: answered.map(({ question: { text, wanted }, rank, ndcg }) => ({
      question: text,
      wanted: wanted.map(({ label }) => label),
      rank,
      ndcg,
    })),
  };
}

/** Hits are reduced to their places, because their texts may be long. */
function toJson({ mode, figures, answered, comparison }: ModeResult): object {
  return {
    mode,
    figures,
    questions: answered.map(({ question, rank, ndcg, hits }) => ({
      line: question.line,
      question: question.text,
      wanted: question.wanted.map(({ label }) => label),
      rank,
      ndcg,
      hits: hits.map(({ source, locator, score }) => ({ source, locator, score })),
    })),
    since_last_run: comparison,
  };
}

async function failBelow(
  { err }: Cli,
  results: readonly ModeResult[],
  required: Minimums,
): Promise<void> {
  const failures = results.flatMap(({ mode, figures }) =>
    minimumNames.flatMap((name) => {
      const least = required[name];
      const value = figures[minimums[name]];
      return least === undefined || value >= least
        ? []
        : [`${mode}: ${value.toFixed(3)} is less than --${name} ${least}`];
    }),
  );
  for (const failure of failures) await err.line(err.style.red(failure));
  if (failures.length > 0) throw new Exit(belowMinimumExitCode);
}
