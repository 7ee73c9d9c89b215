import { isTroveError, type TroveError } from '@trove/core';
import type { TroveOperations } from 'trove';
import { answer } from '../answer.js';
import { AnswerBudget, cutToBytes } from '../budget.js';
import { ToolError } from '../tool-error.js';
import { defineTool, type ToolSchema } from '../tool.js';
import { answerParts, nonEmptyText, parameters } from './parameters.js';

const input = {
  type: 'object',
  properties: {
    question: { ...nonEmptyText, maxLength: 10_000 },
    graph: {
      type: 'string',
      maxLength: 64,
      default: '',
      description: 'Default: the default graph.',
    },
    passages: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
    filter: { ...nonEmptyText, maxLength: 10_000, description: '`year >= 2020`' },
    max_tokens: parameters.max_tokens,
  },
  required: ['question'],
  additionalProperties: false,
} as const satisfies ToolSchema;

/** The tool is offered while a graph exists. */
export const askGraphTool = defineTool({
  name: 'ask_graph',
  title: 'Ask a graph',
  description: 'Answers a question that needs facts from several documents, with cited passages.',
  isReadOnly: true,
  input,
  output: {
    type: 'object',
    properties: {
      answer: { type: 'string' },
      passages: { type: 'array', items: { type: 'object' } },
      notes: answerParts.notes,
    },
    required: ['answer', 'passages'],
  },
  aliases: {
    query: 'question',
    q: 'question',
    text: 'question',
    name: 'graph',
    graph_name: 'graph',
    limit: 'passages',
    top_k: 'passages',
  },
  async call({ question, graph, passages: count, filter, max_tokens }, { engine, signal }) {
    const request = {
      question,
      passage_top_k: count,
      ...(filter === undefined ? {} : { filter }),
    };
    const found = await engine.graph.query(graph, request, { signal }).catch(async (error) => {
      if (!isTroveError(error) || error.code !== 'not_found') throw error;
      throw await unknownGraph(error, engine);
    });
    const budget = new AnswerBudget(max_tokens);
    const text = budget.take(found.answer)
      ? found.answer
      : cutToBytes(found.answer, budget.bytesLeft);
    const all = found.retrieved_passages.map(({ id, text: passage, metadata }) => {
      const { source } = metadata;
      return { id, ...(typeof source === 'string' ? { source } : {}), text: passage };
    });
    const passages = all.filter((passage) => budget.take(passage));
    const left = all.length - passages.length;
    const notes = left === 0 ? [] : [`${left} passages do not fit. Raise \`max_tokens\`.`];
    const lines = passages.map(
      ({ id, source, text: passage }) => `[${id}] ${source ?? ''}\n${passage}`,
    );
    return answer([text, '', ...lines], { answer: text, passages }, { cursor: null, notes });
  },
});

async function unknownGraph(error: TroveError, engine: TroveOperations): Promise<ToolError> {
  const { graphs } = await engine.graph.graphs();
  const names = graphs.map(({ name }) => name).join(', ');
  return new ToolError(error.code, error.message, [`Pass one of these graphs: ${names}`], error);
}
