import type { JobResponse } from 'trove';
import { answer } from '../answer.js';
import { AnswerBudget } from '../budget.js';
import { defineTool, type ToolSchema } from '../tool.js';
import { describeSource } from './list.js';
import { answerParts, nonEmptyText, pathAliases } from './parameters.js';
import { matchSources, noSuchSource } from './source-match.js';

const maxJobs = 5;
const maxAnswerTokens = 2000;

const input = {
  type: 'object',
  properties: {
    source: {
      ...nonEmptyText,
      maxLength: 4000,
      description: 'A URI or a part of it. Default: all.',
    },
  },
  additionalProperties: false,
} as const satisfies ToolSchema;

export const statusTool = defineTool({
  name: 'status',
  title: 'Status',
  description: 'Tells how old each source is, what failed, and which jobs run.',
  isReadOnly: true,
  input,
  output: {
    type: 'object',
    properties: {
      sources: { type: 'array', items: { type: 'object' } },
      jobs: { type: 'array', items: { type: 'object' } },
      notes: answerParts.notes,
    },
    required: ['sources', 'jobs'],
  },
  aliases: { ...pathAliases, path: 'source', target: 'source' },
  async call({ source }, { engine, signal, now }) {
    const { connectors } = await engine.status({ signal });
    const { sources: matches, isExact } =
      source === undefined
        ? { sources: connectors, isExact: true }
        : matchSources(connectors, source);
    if (source !== undefined && matches.length === 0) throw noSuchSource(source);
    // The sources with problems come first.
    const ordered = matches.toSorted((a, b) => Number(b.error !== null) - Number(a.error !== null));
    const budget = new AnswerBudget(maxAnswerTokens);
    const sources = ordered
      .map((each) => describeSource(each, now))
      .filter((each) => budget.take(each));
    const running = await engine.jobs({ limit: maxJobs, status: 'running' }, { signal });
    const jobs = running.map(describeJob);
    const left = matches.length - sources.length;
    const notes = [
      ...(isExact || matches.length < 2 ? [] : [`${matches.length} sources match "${source}".`]),
      ...(left === 0 ? [] : [`${left} more sources. Name one, or use \`list\`.`]),
    ];
    const lines = [
      ...sources.map(({ uri, detail }) => `${uri} · ${detail}`),
      ...jobs.map(
        ({ source: of, phase, done, total }) => `Syncing ${of}: ${phase} ${done}/${total}`,
      ),
    ];
    return answer(lines, { sources, jobs }, { cursor: null, notes });
  },
});

function describeJob(job: JobResponse) {
  return {
    id: job.id,
    source: job.target,
    phase: job.phase ?? 'starting',
    done: (job.succeeded_objects ?? 0) + (job.skipped_objects ?? 0) + (job.failed_objects ?? 0),
    total: job.total_objects ?? 0,
    ...(job.paused_until === null ? {} : { paused_until: job.paused_until }),
  };
}
