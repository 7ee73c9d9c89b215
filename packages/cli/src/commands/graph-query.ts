import { command } from '../framework/command.js';
import { printAnswer } from '../graph/answer.js';
import { waitingFor } from '../graph/waiting.js';
import { graphOption } from './graph-option.js';

export const query = command({
  name: 'query',
  description: 'Answer a question from a graph, with the passages that the answer is from',
  args: {
    question: { type: 'positional', description: 'In natural language' },
    graph: graphOption,
    'top-k': {
      type: 'string',
      alias: 'k',
      valueHint: 'N',
      description: 'Passages that the answer is made from (default 5)',
    },
    expand: {
      type: 'string',
      valueHint: 'HOPS',
      description: 'Hops around what is found (default 1)',
    },
    filter: {
      type: 'string',
      valueHint: 'FILTER',
      description: 'Which documents count, by their metadata: year >= 2020',
    },
    rerank: {
      type: 'boolean',
      default: true,
      description: 'Let a language model, if the server has one, rank what was found',
    },
  },
  notes: [
    'Without a language model the answer quotes the sentences that fit best. Exits with 0 even if nothing was found.',
  ],
  examples: [
    { command: 'trove graph query "When are the tokens rotated?"', does: 'ask' },
    {
      command: `trove graph query "Who designed the engine?" -g people --filter 'year >= 1837'`,
      does: 'ask some',
    },
  ],
  async run(args, cli) {
    const response = await waitingFor(cli, 'Asking the graph', () =>
      cli.client.graph.queryGraph({
        graph_name: args.text('graph') ?? '',
        body: {
          question: args.required('question'),
          use_reranking: args.flag('rerank'),
          passage_top_k: args.integer('top-k'),
          expansion_degree: args.integer('expand'),
          filter: args.text('filter') ?? null,
        },
      }),
    );
    await (cli.json ? cli.printJson(response) : printAnswer(cli, response));
  },
});
