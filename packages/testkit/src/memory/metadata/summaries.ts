import type { ModelUsage } from '@trove/core/model';
import type { SummaryCatalog } from '@trove/core/store';

import { compareText, heldJob, summariesOf, type Metadata } from './data.js';

export function memorySummaries(data: Metadata): SummaryCatalog {
  return {
    findByPath: async (connectorId, paths) => {
      const wanted = new Set(paths);
      return [...summariesOf(data, connectorId).values()].filter(({ path }) => wanted.has(path));
    },
    list: async (connectorId, { after, limit }) =>
      [...summariesOf(data, connectorId).values()]
        .filter(({ path }) => after === null || compareText(path, after) > 0)
        .sort((left, right) => compareText(left.path, right.path))
        .slice(0, limit),
    put: async (jobId, worker, { put, removed, use }) => {
      const job = heldJob(data, jobId, worker);
      if (job === null) return false;
      const summaries = summariesOf(data, job.connectorId);
      for (const id of removed) summaries.delete(id);
      for (const record of put) summaries.set(record.id, record);
      job.summarizing = true;
      job.summaries += put.length;
      if (put.length > 0) job.deaths = 0;
      job.modelUsage = sum(job.modelUsage, use);
      return true;
    },
  };
}

function sum(left: ModelUsage, right: ModelUsage): ModelUsage {
  return {
    calls: left.calls + right.calls,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}
