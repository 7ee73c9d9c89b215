// Generated from the OpenAPI document by "npm run generate". Do not edit.

/**
 * The parameters of each operation that has some: of its path and query, and the simple properties
 * of its body.
 */
export const parameters = {
  addSource: {
    target: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'Path or connector URI to register and index.',
    },
    full: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Index everything again, ignoring caches and fingerprints.',
    },
    since: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'A cursor or date to sync from, for connectors that support one.',
    },
    process: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'true: index before answering; false: queue a job.',
    },
    update: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Apply the configuration to a source that is already registered.',
    },
  },
  listJobs: {
    limit: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 1000,
      description: 'Number of jobs, newest first.',
    },
    offset: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 1000000,
      description: 'Number of newest jobs to skip.',
    },
    status: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only jobs with this status.',
    },
    target: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only jobs for this source.',
    },
  },
  getJob: {
    job_id: { in: 'path', type: 'string', required: true, description: 'The id of a job.' },
  },
  cancelJob: {
    job_id: { in: 'path', type: 'string', required: true, description: 'The id of a job.' },
  },
  uploadSource: {
    name: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Name of the source, which is `file://NAME`: as a `client_id`.',
    },
    process: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: true,
      description: 'true: index before answering; false: queue a job.',
    },
  },
  filesManifest: {
    client_id: {
      in: 'body',
      type: 'string',
      required: true,
      description:
        'Which machine the files are of: letters, digits, `.`, `_` and `-`, but not `local`.',
    },
    root: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'Absolute path of the folder on that machine.',
    },
  },
  filesUpload: {
    client_id: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Which machine the files are of: letters, digits, `.`, `_` and `-`, but not `local`.',
    },
    root: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Absolute path of the folder on that machine.',
    },
    process: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: true,
      description: 'true: index before answering; false: queue a job.',
    },
    full: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Index everything again, ignoring caches and fingerprints.',
    },
  },
  probeConnector: {
    target: { in: 'body', type: 'string', required: true, description: 'Path or URI of a source.' },
    since: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'For an estimate: count only what has changed since then.',
    },
  },
  estimateConnector: {
    target: { in: 'body', type: 'string', required: true, description: 'Path or URI of a source.' },
    since: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'For an estimate: count only what has changed since then.',
    },
  },
  inspectConnector: {
    target: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source.',
    },
  },
  removeConnector: {
    target: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source.',
    },
  },
  search: {
    q: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'What to look for. Of a long text, only the first few hundred words count.',
    },
    path: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Search only this source, folder or object.',
    },
    mode: {
      in: 'query',
      type: 'string',
      required: false,
      enum: ['hybrid', 'semantic', 'keyword'],
      default: 'hybrid',
      description: 'semantic: by meaning; keyword: by words; hybrid: both.',
    },
    top_k: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 10,
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of hits.',
    },
    offset: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 10000,
      description: 'Number of top hits to skip.',
    },
    collapse: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Only the best hit of each object.',
    },
    demote: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: true,
      description:
        'Lower the scores of tests, fixtures, logs, licences, changelogs, commits, generated and vendored files, unless the query asks for them.',
    },
    kind: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Comma-separated chunk kinds: body, row_text, thread_aggregate, record_aggregate, summary, vlm_description, directory_summary, schema_summary.',
    },
    filter: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.',
    },
    glob: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Only objects whose path, below `path` or the source, fits: patterns as in a .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last that fits decides.',
    },
    type: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only such files: names as `ts`, `py`, `md`, separated by commas; `!` excludes.',
    },
  },
  grep: {
    pattern: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'A literal text or, with `regex`, a regular expression.',
    },
    path: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Search only this source, folder or object; without it, all sources.',
    },
    regex: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description:
        "Treat the pattern as a regular expression in ripgrep's syntax: Unicode, line by line, and with look-around.",
    },
    ignore_case: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Ignore the difference between upper and lower case.',
    },
    word: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Only matches that are not part of a longer word.',
    },
    invert: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'The lines that do not match.',
    },
    only_matching: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description:
        'The content is only what matches in the line, one occurrence per line; empty ones are left out.',
    },
    glob: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Only objects whose path, below `path` or the source, fits: patterns as in a .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last that fits decides.',
    },
    type: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only such files: names as `ts`, `py`, `md`, separated by commas; `!` excludes.',
    },
    context: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 10,
      description: 'Lines to include before and after each match.',
    },
    limit: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 1000,
      minimum: 1,
      maximum: 10000,
      description: 'Maximum number of matches.',
    },
    max_per_object: {
      in: 'query',
      type: 'integer',
      required: false,
      minimum: 1,
      maximum: 10000,
      description: 'Maximum number of matches in each object.',
    },
    cursor: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'The `next` of an earlier answer to the same question, for what comes after. Where sources overlap, a line may come again.',
    },
  },
  ls: {
    path: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
  },
  cat: {
    path: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
    range: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Lines `start:end`, or records of a table, counting from 1, both included. `10:` and `:20` work too.',
    },
    bytes: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Bytes `start:end` of a large text, counting from 0, without the end; at most 1 MiB. Characters that these cut are left out.',
    },
    locator: {
      in: 'query',
      type: 'string',
      required: false,
      description: "A search hit's locator, as JSON.",
    },
    meta: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Facts about the object instead of its content.',
    },
    density: {
      in: 'query',
      type: 'string',
      required: false,
      enum: ['peek', 'skim', 'deep'],
      description:
        'peek: headings and signatures, each with its line number; skim: those and the first line under each; deep: everything.',
    },
  },
  head: {
    path: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
    n: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 10000,
      description: 'Number of lines or records.',
    },
  },
  tail: {
    path: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
    n: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 10000,
      description: 'Number of lines or records.',
    },
  },
  export: {
    path: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
  },
  addDocuments: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
    documents: {
      in: 'body',
      type: 'array',
      required: true,
      description: 'Texts; each becomes one passage.',
    },
    ids: {
      in: 'body',
      type: 'array',
      required: false,
      description: 'One for each document, unique; by default hashes of their content.',
    },
    extract_triplets: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Whether triplets are extracted from documents that have none in `triplets`.',
    },
  },
  importSources: {
    sources: {
      in: 'body',
      type: 'array',
      required: true,
      description:
        'http(s) URLs, absolute local paths (a file, a folder, or a pattern such as /notes/**/*.md), or URIs of registered sources.',
    },
    chunk_documents: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Whether documents are split into chunks.',
    },
    chunk_size: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 1000,
      minimum: 100,
      maximum: 8000,
      description: 'Maximum number of characters in a chunk.',
    },
    chunk_overlap: {
      in: 'body',
      type: 'integer',
      required: false,
      minimum: 0,
      maximum: 4000,
      description:
        'Characters that adjacent chunks share, at most half of `chunk_size`. Default: 200, or half of `chunk_size` if that is less.',
    },
    extract_triplets: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Whether triplets are extracted.',
    },
    graph_name: {
      in: 'body',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  uploadDocuments: {
    chunk_documents: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Whether documents are split into chunks.',
    },
    chunk_size: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 1000,
      minimum: 100,
      maximum: 8000,
      description: 'Maximum number of characters in a chunk.',
    },
    chunk_overlap: {
      in: 'body',
      type: 'integer',
      required: false,
      minimum: 0,
      maximum: 4000,
      description:
        'Characters that adjacent chunks share, at most half of `chunk_size`. Default: 200, or half of `chunk_size` if that is less.',
    },
    extract_triplets: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Whether triplets are extracted.',
    },
    graph_name: {
      in: 'body',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  graphBuild: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  listDocuments: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
    query: {
      in: 'query',
      type: 'string',
      required: false,
      default: '',
      description: 'What the documents are to be about; empty for all, in a stable order.',
    },
    top_k: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 10,
      minimum: 1,
      maximum: 1000,
      description: 'How many documents at most.',
    },
    offset: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 10000000,
      description: 'How many to leave out before the first.',
    },
  },
  getDocument: {
    document_id: {
      in: 'path',
      type: 'string',
      required: true,
      description: 'An id, as other answers have it.',
    },
    graph_name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  queryGraph: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
    question: { in: 'body', type: 'string', required: true, description: 'In natural language.' },
    use_reranking: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Whether a language model, if one is configured, ranks what was found.',
    },
    entity_top_k: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 200,
      description: 'Entities found by the search.',
    },
    relation_top_k: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 200,
      description: 'Relations found by the search.',
    },
    expansion_degree: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 1,
      minimum: 0,
      maximum: 4,
      description: 'Hops that the subgraph grows; 0 for none.',
    },
    passage_top_k: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 5,
      minimum: 1,
      maximum: 50,
      description: 'Passages that the answer is made from.',
    },
    filter: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Which documents count, by their metadata: `year >= 2020 and lang = "en"`.',
    },
  },
  graphStats: {
    graph_name: {
      in: 'path',
      type: 'string',
      required: true,
      description: '1 to 64 letters, digits, underscores and hyphens.',
    },
  },
  graphNeighbors: {
    graph_name: {
      in: 'path',
      type: 'string',
      required: true,
      description: '1 to 64 letters, digits, underscores and hyphens.',
    },
    entity_id: {
      in: 'path',
      type: 'string',
      required: true,
      description: 'The id of an entity, or its name in any spelling.',
    },
    limit: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 1000,
      description: 'How many neighbors at most.',
    },
  },
  deleteGraph: {
    graph_name: {
      in: 'path',
      type: 'string',
      required: true,
      description: '1 to 64 letters, digits, underscores and hyphens.',
    },
  },
} as const;
