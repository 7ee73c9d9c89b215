/** Replacements of mfs settings, by the names they have in mfs. The page "Coming from mfs" has the same list. */
const replacements: Readonly<Record<string, string>> = {
  cursor_column: 'Leave it out: what changed is found without it.',
  cursor_field: 'Leave it out: what changed is found without it.',
  default_chunk_max: 'Write `chunk_max` in [ingest].',
  default_row_limit: 'Leave it out: every row is read, a part at a time.',
  default_search_limit: 'Leave it out: a search says itself how many hits it wants.',
  dim: 'Write `dimension`.',
  endpoint_url: 'Write `endpoint`.',
  eviction: 'Leave it out: what was not used for longest is dropped first.',
  in_process_jobrunner: 'Write `in_process` in [worker].',
  max_read_bytes: 'Leave it out: every row is read, a part at a time.',
  max_read_docs: 'Leave it out, and choose with `collections`: all their documents are read.',
  max_read_rows: 'Leave it out, and choose with `tables`: all their rows are read.',
  render_template: 'Write `render`, with each field in double braces: {{title}}.',
  // Sections of server.toml.
  chunking: 'Write `chunk_chars` and `chunk_max` in [ingest].',
  chunks_producer: 'Write `concurrency` in [worker].',
  conversion: 'Leave it out: documents are converted by the plugin that knows their type.',
  database: 'Write it in [metadata].',
  milvus: 'Write `uri` and `token` in [index].',
  object_task: 'Leave it out: what fails is tried again by itself.',
};

/** Advice for a setting that has another name or does not exist in Trove; undefined for other names. */
export function findMfsReplacement(name: string): string | undefined {
  return Object.hasOwn(replacements, name) ? `\`${name}\`: ${replacements[name]}` : undefined;
}
