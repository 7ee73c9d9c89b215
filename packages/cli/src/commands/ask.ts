import type { AskRequest, AskResponse } from '@trove/client';
import { Exit } from '@trove/commands';
import { streamAnswer, type StreamedAnswer } from '../ask/streamed-answer.js';
import { withElapsedTime } from '../graph/build-progress.js';
import { displayUri, shellQuote } from '../paths/display.js';
import { linkTo } from '../paths/link.js';
import { displayLocator } from '../paths/locator.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { pathFilterArgs, pathFilterOf } from './path-filter.js';
import { optionsOf } from './parameters.js';

const notFoundExitCode = 1;
const errorExitCode = 2;

const options = optionsOf('ask', {
  omit: ['path', 'glob', 'type'],
  change: { max_passages: { alias: 'k' } },
});

export const ask = command({
  name: 'ask',
  description: 'Answer a question and cite the lines that prove it',
  args: {
    question: { type: 'positional', description: 'A question in natural language' },
    path: {
      type: 'positional',
      required: false,
      completes: 'object',
      description: 'Search only this source, folder or object (default: everywhere)',
    },
    ...options.args,
    ...pathFilterArgs,
  },
  notes: [
    'Each number in the answer is a citation. The list below the answer names its file and lines. Every citation is a ' +
      'quote that occurs there. Without a language model, the answer quotes the sentences that cover the words of ' +
      'the question.',
    'On a terminal, the statements of a language model appear while it writes. The list of citations and notes about ' +
      'the whole answer follow.',
    'Exits with 1 if the sources do not answer the question, and with 2 after an error.',
  ],
  examples: [
    { command: 'trove ask "how often are tokens rotated?"', does: 'ask all sources' },
    { command: 'trove ask "how are errors rendered?" ./docs', does: 'ask one folder' },
    {
      command: 'trove ask "what is the retry policy?" -t md --json',
      does: 'return the answer as JSON',
    },
  ],
  errorExit: errorExitCode,
  async run(args, cli) {
    const question = args.required('question');
    const path = args.text('path');
    const body = {
      ...options.request(args),
      ...pathFilterOf(args),
      question,
      path: path === undefined ? undefined : toTarget(path, cli.cwd, cli.uploadedFolders),
    };
    const isStreamed = !cli.json && cli.out.isTerminal;
    const { response, shown } = isStreamed
      ? await streamAnswer(cli, body)
      : await wholeAnswer(cli, body);
    if (cli.json) await cli.printJson(response);
    else await printAnswer(cli, { response, shown }, path);
    if (!response.found) throw new Exit(notFoundExitCode);
  },
});

async function wholeAnswer(cli: Cli, body: AskRequest): Promise<StreamedAnswer> {
  const work = (): Promise<AskResponse> => cli.client.retrieval.ask({ body });
  return { response: await withElapsedTime(cli, 'Answering', work), shown: '' };
}

/** Prints the answer, unless it is shown already, and its citations. Notices and a missing answer go to standard error. */
async function printAnswer(
  cli: Cli,
  { response: { answer, found, notice, citations }, shown }: StreamedAnswer,
  path: string | undefined,
): Promise<void> {
  const { out, err } = cli;
  if (notice !== null) await err.line(`note: ${err.safeName(notice)}`);
  if (!found) {
    const place = path === undefined ? '' : ` ${shellQuote(path)}`;
    return err.line(
      `${answer}. \`trove search QUESTION${place}\` shows the passages with the most similar words.`,
    );
  }
  if (answer !== shown) await out.line(out.safe(answer));
  await out.line();
  for (const { id, source, locator } of citations) {
    const mark = out.style.bold(out.style.cyan(`[${id}]`));
    const place = out.safeName(`${displayUri(source, cli)}${displayLocator(locator)}`);
    await out.line(`${mark} ${out.link(place, linkTo(source, cli))}`);
  }
}
