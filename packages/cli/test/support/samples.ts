/** Creates a job as the API returns it. */
export function jobOf(overrides: object = {}) {
  return {
    id: 'job-1',
    status: 'succeeded',
    op_kind: 'sync',
    trigger: 'manual',
    target: 'file://local/data/notes',
    phase: null,
    paused_until: null,
    obstacle: null,
    error: null,
    detail: null,
    total_objects: 3,
    succeeded_objects: 2,
    failed_objects: 0,
    cancelled_objects: 0,
    skipped_objects: 1,
    added: 1,
    changed: 1,
    removed: 0,
    unchanged: 1,
    left_out: 0,
    chunks: 7,
    chunks_without_vector: 0,
    summaries: 0,
    summaries_missing: 0,
    model_calls: 0,
    model_input_tokens: 0,
    model_output_tokens: 0,
    created_at: '2026-01-01T00:00:00.000Z',
    started_at: '2026-01-01T00:00:01.000Z',
    finished_at: '2026-01-01T00:00:03.500Z',
    failures: [],
    left_out_reasons: [],
    warnings: [],
    ...overrides,
  };
}

/** Creates a search hit as the API returns it. */
export function hitOf(overrides: object = {}) {
  return {
    source: 'file://local/data/notes/a.md',
    content: 'Tokens are rotated\nevery night.',
    score: 0.8312,
    locator: { lines: [4, 5] },
    metadata: {
      chunk_kind: 'body',
      connector_type: 'file',
      media_type: 'text/markdown',
      title: 'Operations',
      modified_at: null,
      url: null,
      author: null,
      also: [],
      fields: {},
      scores: { dense: 0.5, sparse: 0.9 },
    },
    ...overrides,
  };
}

/** Creates a folder entry as the API returns it. */
export function entryOf(overrides: object = {}) {
  return {
    name: 'a.md',
    type: 'file',
    media_type: 'text/markdown',
    size_hint: 1234,
    path: 'file://local/data/notes/a.md',
    search_status: 'indexed',
    indexable: true,
    reason: null,
    real_id: null,
    ...overrides,
  };
}

export const capabilities = {
  sync: { incremental: false, since: false },
  object: { read: true, records: false, tail: true, grep: false },
};

/** Creates a match as the API returns it. */
export function matchOf(overrides: Record<string, unknown> = {}) {
  const locator = { lines: [3, 3] };
  const match = { lines: [3, 3], column: 1 };
  return { source: 'file://local/d/a', locator, content: 'x', via: 'linear', match, ...overrides };
}
