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
      description: 'Let a language model, if the server has one, rank the passages',
    },
    passage_top_k: { name: 'top-k', alias: 'k' },
    expansion_degree: { name: 'expand', valueHint: 'HOPS' },
    filter: { valueHint: 'FILTER' },
  },
});

export const query = command({
  name: 'query',
  description: 'Answer a question from a graph and cite its passages',
  args: {
    question: { type: 'positional', description: 'A question in natural language' },
    graph: graphOption,
    ...options.args,
    open: {
      type: 'boolean',
      description: 'Also show the answer and a drawing of its graph in a browser',
    },
  },
  notes: [
    'Without a language model, the answer quotes the best sentences. Exits with 0 even if nothing was found.',
    'With --open, the URL contains the question and a pass instead of the token. The pass expires after an hour. ' +
      'BROWSER selects the browser. Without a browser, the command prints the URL.',
  ],
  examples: [
    { command: 'trove graph query "When are the tokens rotated?"', does: 'answer a question' },
    {
      command: `trove graph query "Who designed the engine?" -g people --filter 'year >= 1837'`,
      does: 'query only some documents',
    },
    {
      command: 'trove graph query "Who designed the engine?" --open',
      does: 'show where the answer comes from',
    },
  ],
  async run(args, cli) {
    const graph = args.text('graph') ?? '';
    const body = { question: args.required('question'), ...options.request(args) };
    const response = await withElapsedTime(cli, 'Querying the graph', () =>
      callGraphApi(cli, (api) => api.queryGraph({ graph_name: graph, body })),
    );
    await (cli.json ? cli.printJson(response) : printAnswer(cli, response));
    if (args.flag('open')) await openPage(cli, graph, body);
  },
});
