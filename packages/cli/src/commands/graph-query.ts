import { printAnswer } from '../graph/answer.js';
import { callGraphApi } from '../graph/graph-api.js';
import { openPage } from '../graph/page.js';
import { withElapsedTime } from '../graph/build-progress.js';
import { command } from '../session/command.js';
import { graphOption } from './graph-option.js';
import { optionsOf } from './parameters.js';

// Programs use the search results, and the page of --open ignores these parameters.
const options = optionsOf('queryGraph', {
  omit: ['entity_top_k', 'relation_top_k'],
  change: {
    use_reranking: {
      name: 'rerank',
      description: 'Let a language model, if the server has one, rank what was found',
    },
    passage_top_k: { name: 'top-k', alias: 'k' },
    expansion_degree: { name: 'expand', valueHint: 'HOPS' },
    filter: { valueHint: 'FILTER' },
  },
});

export const query = command({
  name: 'query',
  description: 'Answer a question from a graph, with the passages that the answer is from',
  args: {
    question: { type: 'positional', description: 'In natural language' },
    graph: graphOption,
    ...options.args,
    open: {
      type: 'boolean',
      description:
        'Show the answer in a browser, too, with a drawing of what connects its passages',
    },
  },
  notes: [
    'Without a language model the answer quotes the sentences that fit best. Exits with 0 even if nothing was found.',
    'With --open the address of the page holds what is asked and, instead of the token, a pass that ends after an hour. ' +
      'BROWSER names the browser; where none can be opened, the address is printed.',
  ],
  examples: [
    { command: 'trove graph query "When are the tokens rotated?"', does: 'ask' },
    {
      command: `trove graph query "Who designed the engine?" -g people --filter 'year >= 1837'`,
      does: 'ask some',
    },
    {
      command: 'trove graph query "Who designed the engine?" --open',
      does: 'look at what the answer is from',
    },
  ],
  async run(args, cli) {
    const graph = args.text('graph') ?? '';
    const body = { question: args.required('question'), ...options.request(args) };
    const response = await withElapsedTime(cli, 'Asking the graph', () =>
      callGraphApi(cli, (api) => api.queryGraph({ graph_name: graph, body })),
    );
    await (cli.json ? cli.printJson(response) : printAnswer(cli, response));
    if (args.flag('open')) await openPage(cli, graph, body);
  },
});
