/** Advice by the names of mfs settings. The page "Coming from mfs" has the same list. */
const replacements: Readonly<Record<string, string>> = {
  cursor_column: 'Remove it. Changes are found without it.',
  cursor_field: 'Remove it. Changes are found without it.',
  default_chunk_max: 'Write `chunk_max` in [ingest].',
  default_row_limit: 'Remove it. All rows are read in batches.',
  default_search_limit: 'Remove it. Set `top_k` in each search.',
  dim: 'Write `dimension`.',
  endpoint_url: 'Write `endpoint`.',
  eviction: 'Remove it. The least recently used entries are deleted first.',
  in_process_jobrunner: 'Write `in_process` in [worker].',
  max_read_bytes: 'Remove it. All rows are read in batches.',
  max_read_docs:
    'Remove it, and select collections with `collections`. All their documents are read.',
  max_read_rows: 'Remove it, and select tables with `tables`. All their rows are read.',
  render_template: 'Write `render`, with fields in double braces: {{title}}.',
  // Sections of server.toml.
  chunking: 'Write `chunk_chars` and `chunk_max` in [ingest].',
  chunks_producer: 'Write `concurrency` in [worker].',
  conversion: 'Remove it. The media type determines the converter of a document.',
  database: 'Write it in [metadata].',
  milvus: 'Write `uri` and `token` in [index].',
  object_task: 'Remove it. Failed objects are retried automatically.',
};

/**
 * Returns advice for a setting of mfs that has another name or does not exist in Trove. Returns undefined for
 * other names.
 */
export function findMfsReplacement(name: string): string | undefined {
  return Object.hasOwn(replacements, name) ? `\`${name}\`: ${replacements[name]}` : undefined;
}
