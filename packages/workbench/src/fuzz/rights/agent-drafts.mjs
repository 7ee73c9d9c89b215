import * as fc from 'fast-check';

import { reference } from '../requests/draft.mjs';

const operation = { id: 'agents', method: 'POST', path: '/mcp' };
const headers = { accept: 'application/json, text/event-stream' };

const from = (pool) => fc.nat(10_000).map((at) => reference(pool, at));
const maybe = (pool) => fc.option(from(pool), { nil: undefined });

/** Generates calls of the tools of agents. See `draft.mjs`. */
export function agentDrafts() {
  return fc
    .oneof(
      callOf('search', { query: from('word'), path: maybe('dir') }),
      callOf('grep', { pattern: from('word'), path: maybe('dir') }),
      callOf('read', { uri: from('file') }),
      callOf('list', { path: maybe('dir') }),
      callOf('status', { source: maybe('target') }),
      callOf('ask_graph', { question: from('word') }),
    )
    .map((params) => ({
      operation,
      intent: 'valid',
      label: 'valid',
      headers,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    }));
}

function callOf(name, model) {
  return fc.record({ name: fc.constant(name), arguments: fc.record(model) });
}
