// Generated from the OpenAPI document by "npm run generate". Do not edit.

/** The path and query parameters of each operation that has some. */
export const parameters = {
  listJobs: {
    limit: {
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 1000,
      description: 'Number of jobs, newest first.',
    },
    offset: {
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 1000000,
      description: 'Number of newest jobs to skip.',
    },
    status: { type: 'string', required: false, description: 'Only jobs with this status.' },
    target: { type: 'string', required: false, description: 'Only jobs for this source.' },
  },
  getJob: {
    job_id: { type: 'string', required: true, description: 'The id of a job.' },
  },
  cancelJob: {
    job_id: { type: 'string', required: true, description: 'The id of a job.' },
  },
  uploadSource: {
    name: {
      type: 'string',
      required: true,
      description: 'Name of the source, which is `file://NAME`: as a `client_id`.',
    },
    process: {
      type: 'boolean',
      required: false,
      default: true,
      description: 'true: index before answering; false: queue a job.',
    },
  },
  filesUpload: {
    client_id: {
      type: 'string',
      required: true,
      description:
        'Which machine the files are of: letters, digits, `.`, `_` and `-`, but not `local`.',
    },
    root: {
      type: 'string',
      required: true,
      description: 'Absolute path of the folder on that machine.',
    },
    process: {
      type: 'boolean',
      required: false,
      default: true,
      description: 'true: index before answering; false: queue a job.',
    },
    full: {
      type: 'boolean',
      required: false,
      default: false,
      description: 'Index everything again, ignoring caches and fingerprints.',
    },
  },
  inspectConnector: {
    target: { type: 'string', required: true, description: 'Path or URI of a source.' },
  },
  removeConnector: {
    target: { type: 'string', required: true, description: 'Path or URI of a source.' },
  },
  search: {
    q: {
      type: 'string',
      required: true,
      description: 'What to look for. Of a long text, only the first few hundred words count.',
    },
    path: {
      type: 'string',
      required: false,
      description: 'Search only this source, folder or object.',
    },
    mode: {
      type: 'string',
      required: false,
      enum: ['hybrid', 'semantic', 'keyword'],
      default: 'hybrid',
      description: 'semantic: by meaning; keyword: by words; hybrid: both.',
    },
    top_k: {
      type: 'integer',
      required: false,
      default: 10,
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of hits.',
    },
    offset: {
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 10000,
      description: 'Number of top hits to skip.',
    },
    collapse: {
      type: 'boolean',
      required: false,
      default: false,
      description: 'Only the best hit of each object.',
    },
    demote: {
      type: 'boolean',
      required: false,
      default: true,
      description:
        'Lower the scores of tests, fixtures, logs, licences, changelogs, commits, generated and vendored files, unless the query asks for them.',
    },
    kind: {
      type: 'string',
      required: false,
      description:
        'Comma-separated chunk kinds: body, row_text, thread_aggregate, record_aggregate, summary, vlm_description, directory_summary, schema_summary.',
    },
    filter: {
      type: 'string',
      required: false,
      description:
        'A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.',
    },
    glob: {
      type: 'string',
      required: false,
      description:
        'Only objects whose path, below `path` or the source, fits: patterns as in a .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last that fits decides.',
    },
    type: {
      type: 'string',
      required: false,
      description: 'Only such files: names as `ts`, `py`, `md`, separated by commas; `!` excludes.',
    },
  },
  grep: {
    pattern: {
      type: 'string',
      required: true,
      description: 'A literal text or, with `regex`, a regular expression.',
    },
    path: {
      type: 'string',
      required: false,
      description: 'Search only this source, folder or object; without it, all sources.',
    },
    regex: {
      type: 'boolean',
      required: false,
      default: false,
      description:
        "Treat the pattern as a regular expression in ripgrep's syntax: Unicode, line by line, and with look-around.",
    },
    ignore_case: {
      type: 'boolean',
      required: false,
      default: false,
      description: 'Ignore the difference between upper and lower case.',
    },
    word: {
      type: 'boolean',
      required: false,
      default: false,
      description: 'Only matches that are not part of a longer word.',
    },
    invert: {
      type: 'boolean',
      required: false,
      default: false,
      description: 'The lines that do not match.',
    },
    only_matching: {
      type: 'boolean',
      required: false,
      default: false,
      description:
        'The content is only what matches in the line, one occurrence per line; empty ones are left out.',
    },
    glob: {
      type: 'string',
      required: false,
      description:
        'Only objects whose path, below `path` or the source, fits: patterns as in a .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last that fits decides.',
    },
    type: {
      type: 'string',
      required: false,
      description: 'Only such files: names as `ts`, `py`, `md`, separated by commas; `!` excludes.',
    },
    context: {
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 10,
      description: 'Lines to include before and after each match.',
    },
    limit: {
      type: 'integer',
      required: false,
      default: 1000,
      minimum: 1,
      maximum: 10000,
      description: 'Maximum number of matches.',
    },
    max_per_object: {
      type: 'integer',
      required: false,
      minimum: 1,
      maximum: 10000,
      description: 'Maximum number of matches in each object.',
    },
    cursor: {
      type: 'string',
      required: false,
      description:
        'The `next` of an earlier answer to the same question, for what comes after. Where sources overlap, a line may come again.',
    },
  },
  ls: {
    path: {
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
  },
  cat: {
    path: {
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
    range: {
      type: 'string',
      required: false,
      description:
        'Lines `start:end`, or records of a table, counting from 1, both included. `10:` and `:20` work too.',
    },
    bytes: {
      type: 'string',
      required: false,
      description:
        'Bytes `start:end` of a large text, counting from 0, without the end; at most 1 MiB. Characters that these cut are left out.',
    },
    locator: { type: 'string', required: false, description: "A search hit's locator, as JSON." },
    meta: {
      type: 'boolean',
      required: false,
      default: false,
      description: 'Facts about the object instead of its content.',
    },
    density: {
      type: 'string',
      required: false,
      enum: ['peek', 'skim', 'deep'],
      description:
        'peek: headings and signatures, each with its line number; skim: those and the first line under each; deep: everything.',
    },
  },
  head: {
    path: {
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
    n: {
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
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
    n: {
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
      type: 'string',
      required: true,
      description: 'Path or URI of a source, a folder in it, or an object.',
    },
  },
  addDocuments: {
    graph_name: {
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  graphBuild: {
    graph_name: {
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  listDocuments: {
    graph_name: {
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
    query: {
      type: 'string',
      required: false,
      default: '',
      description: 'What the documents are to be about; empty for all, in a stable order.',
    },
    top_k: {
      type: 'integer',
      required: false,
      default: 10,
      minimum: 1,
      maximum: 1000,
      description: 'How many documents at most.',
    },
    offset: {
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
      type: 'string',
      required: true,
      description: 'An id, as other answers have it.',
    },
    graph_name: {
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  queryGraph: {
    graph_name: {
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens; empty for the graph that `[graph].default_graph` names.',
    },
  },
  graphStats: {
    graph_name: {
      type: 'string',
      required: true,
      description: '1 to 64 letters, digits, underscores and hyphens.',
    },
  },
  graphNeighbors: {
    graph_name: {
      type: 'string',
      required: true,
      description: '1 to 64 letters, digits, underscores and hyphens.',
    },
    entity_id: {
      type: 'string',
      required: true,
      description: 'The id of an entity, or its name in any spelling.',
    },
    limit: {
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
      type: 'string',
      required: true,
      description: '1 to 64 letters, digits, underscores and hyphens.',
    },
  },
} as const;
