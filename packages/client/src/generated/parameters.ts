// Generated from the OpenAPI document by "npm run generate". Do not edit.

/**
 * The parameters of each operation: those of its path and query, and the simple properties of its
 * body.
 */
export const parameters = {
  startBackup: {
    to: {
      in: 'body',
      type: 'string',
      required: true,
      description:
        'Absolute path of a missing or empty folder on the machine of the server, or a folder of a bucket: `s3://bucket/folder`.',
    },
  },
  addSource: {
    target: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'Path or URI of the source to register and index.',
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
      description: 'Sync only changes since this date, if the connector supports it.',
    },
    process: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: '`true`: respond after indexing. `false`: queue a job and respond at once.',
    },
    update: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Apply the configuration to a source that is already registered.',
    },
    paths: {
      in: 'body',
      type: 'array',
      required: false,
      description:
        'Sync only these paths of a registered source, such as failed objects. Everything is listed if the connector cannot list single paths.',
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
      description: 'Maximum number of jobs, newest first.',
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
      description: 'Only jobs of this source.',
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
      description:
        'Name of the source `file://NAME`: letters, digits, `.`, `_` and `-`. `local` is reserved.',
    },
    process: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: true,
      description: '`true`: respond after indexing. `false`: queue a job and respond at once.',
    },
  },
  filesManifest: {
    client_id: {
      in: 'body',
      type: 'string',
      required: true,
      description:
        'Name of the machine with the files: letters, digits, `.`, `_` and `-`. `local` is reserved.',
    },
    root: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'Absolute path of the folder on the machine.',
    },
  },
  filesUpload: {
    client_id: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Name of the machine with the files: letters, digits, `.`, `_` and `-`. `local` is reserved.',
    },
    root: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'Absolute path of the folder on the machine.',
    },
    process: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: true,
      description: '`true`: respond after indexing. `false`: queue a job and respond at once.',
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
      description: 'Estimate only objects that changed since this date.',
    },
  },
  estimateConnector: {
    target: { in: 'body', type: 'string', required: true, description: 'Path or URI of a source.' },
    since: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Estimate only objects that changed since this date.',
    },
  },
  explainConnector: {
    target: { in: 'body', type: 'string', required: true, description: 'Path or URI of a source.' },
    full: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Explain a full sync.',
    },
  },
  moveConnector: {
    target: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'The root of a registered source.',
    },
    to: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'Its new place: an absolute path or a URI with the scheme of the source.',
    },
    force: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Also move to a place that lacks most objects of the source.',
    },
  },
  scheduleConnector: {
    target: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'The root of a registered source.',
    },
    every: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Interval from `15m` to `30d`, such as `6h`.',
    },
    cron: {
      in: 'body',
      type: 'string',
      required: false,
      description:
        'Cron expression of five fields, in the time zone of the server. Not with `every`.',
    },
    hours: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Only times in this part of the day, such as `22:00-06:00`.',
    },
    watch: {
      in: 'body',
      type: 'boolean',
      required: false,
      description: 'Sync whenever the source changes.',
    },
    paused: {
      in: 'body',
      type: 'boolean',
      required: false,
      description: 'Sync only on request. The schedule and `watch` have no effect meanwhile.',
    },
  },
  applySources: {
    prune: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Remove all other sources, except uploaded ones.',
    },
    dry_run: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Return the difference and change nothing.',
    },
  },
  listSourceKinds: {
    address: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'An address to recognise, such as `https://acme.atlassian.net/browse/OPS-1`.',
    },
  },
  describeConnector: {
    scheme: {
      in: 'query',
      type: 'string',
      required: true,
      description: 'URI scheme of a source, such as `postgres`.',
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
      description: 'The query. Only the first few hundred words of a long text count.',
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
      description: '`semantic`: by meaning. `keyword`: by words. `hybrid`: by both.',
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
      description: 'Number of best hits to skip.',
    },
    collapse: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Return only the best hit of each object.',
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
        'Only objects with a matching path, relative to `path` or the source. Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.',
    },
    type: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only files of these types, such as `ts,py,md`. `!` excludes a type.',
    },
    since: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Only objects modified at this time or later: an ISO date, a date and time, or an age such as `7d` or `12h`.',
    },
    until: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only objects modified before this time, in the form of `since`.',
    },
    sort: {
      in: 'query',
      type: 'string',
      required: false,
      enum: ['relevance', 'modified'],
      default: 'relevance',
      description:
        '`modified`: order the 100 most relevant hits by the time of the last change, newest first. Other hits follow by relevance.',
    },
    snippet: {
      in: 'query',
      type: 'integer',
      required: false,
      minimum: 80,
      maximum: 5000,
      description:
        'Return only the lines around the best matching lines of each hit, with at most this many characters.',
    },
    max_bytes: {
      in: 'query',
      type: 'integer',
      required: false,
      minimum: 1000,
      maximum: 1000000,
      description:
        'Maximum size of the JSON response. Omits the last hits, and shortens a first hit that is too large alone.',
    },
    explain: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description:
        'Add `explanation` to each hit: how its rank and its score came about. `top_k` must then be at most 100.',
    },
  },
  searchBatch: {
    max_bytes: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 10000000,
      minimum: 5000,
      maximum: 10000000,
      description:
        'Maximum size of the JSON response. A result that does not fit is replaced by the error `payload_too_large`.',
    },
  },
  ask: {
    question: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'A question in natural language.',
    },
    path: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Search only this source, folder or object.',
    },
    glob: {
      in: 'body',
      type: 'string',
      required: false,
      description:
        'Only objects with a matching path, relative to `path` or the source. Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.',
    },
    type: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Only files of these types, such as `ts,py,md`. `!` excludes a type.',
    },
    filter: {
      in: 'body',
      type: 'string',
      required: false,
      description:
        'A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.',
    },
    max_passages: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 8,
      minimum: 1,
      maximum: 20,
      description: 'Maximum number of passages that the answer may cite.',
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
      description: 'Search only this source, folder or object. Default: all sources.',
    },
    regex: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description:
        "Treat the pattern as a regular expression in ripgrep's syntax, with Unicode and look-around, line by line.",
    },
    ignore_case: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Ignore case.',
    },
    word: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Match only whole words.',
    },
    invert: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Return the lines that do not match.',
    },
    only_matching: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Return only the matching parts of lines, one per line, without empty ones.',
    },
    glob: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Only objects with a matching path, relative to `path` or the source. Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.',
    },
    type: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only files of these types, such as `ts,py,md`. `!` excludes a type.',
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
        'The `next` of the previous response to the same request. Lines of overlapping sources may repeat.',
    },
  },
  symbols: {
    name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'A name, or a text that contains one: `parse`, `Parser.parse`, `func parse`, `parse()`, `where is parse defined`.',
    },
    path: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only this source, folder or object. Default: all sources.',
    },
    limit: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 20,
      minimum: 1,
      maximum: 200,
      description: 'Maximum number of definitions.',
    },
    references: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 100,
      minimum: 0,
      maximum: 10000,
      description: 'Maximum number of lines that use the name. 0 leaves them out.',
    },
    cursor: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'The `next` of the previous response to the same request.',
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
        'Lines `start:end`, or records of a table, from 1, both ends inclusive. `10:` and `:20` also work.',
    },
    bytes: {
      in: 'query',
      type: 'string',
      required: false,
      description:
        'Bytes `start:end` of a large text, from 0, without the end, at most 1 MiB. Omits characters that the range cuts.',
    },
    locator: {
      in: 'query',
      type: 'string',
      required: false,
      description: 'The locator of a search hit, as JSON.',
    },
    meta: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Return metadata of the object instead of its content.',
    },
    density: {
      in: 'query',
      type: 'string',
      required: false,
      enum: ['peek', 'skim', 'deep'],
      description:
        '`peek`: headings and signatures with line numbers. `skim`: also the first line below each. `deep`: everything.',
    },
    numbers: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description: 'Begin each line with its number and a tab, like `cat -n`.',
    },
    context: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 200,
      description: 'Lines to add before and after `range` or the lines of `locator`.',
    },
    enclosing: {
      in: 'query',
      type: 'boolean',
      required: false,
      default: false,
      description:
        'Return the whole definition or section around the first line of `range` or `locator`. Without one, returns the lines themselves.',
    },
  },
  readBatch: {
    max_bytes: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 10000000,
      minimum: 5000,
      maximum: 10000000,
      description:
        'Maximum size of the JSON response. A result that does not fit is replaced by the error `payload_too_large`.',
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
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
    documents: {
      in: 'body',
      type: 'array',
      required: true,
      description: 'Texts. Each becomes one passage.',
    },
    ids: {
      in: 'body',
      type: 'array',
      required: false,
      description: 'One unique id per document. Default: hashes of the texts.',
    },
    extract_triplets: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Extract triplets from documents without `triplets`.',
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
      description: 'Split documents into chunks.',
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
      description: 'Extract triplets.',
    },
    graph_name: {
      in: 'body',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
  },
  uploadDocuments: {
    chunk_documents: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Split documents into chunks.',
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
      description: 'Extract triplets.',
    },
    graph_name: {
      in: 'body',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
  },
  graphBuild: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: false,
      default: '',
      description:
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
  },
  listDocuments: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
    query: {
      in: 'query',
      type: 'string',
      required: false,
      default: '',
      description: 'Topic of the documents. Empty returns all documents in a stable order.',
    },
    top_k: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 10,
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of documents.',
    },
    offset: {
      in: 'query',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 10000000,
      description: 'Number of documents to skip.',
    },
  },
  getDocument: {
    document_id: {
      in: 'path',
      type: 'string',
      required: true,
      description: 'An id from another response.',
    },
    graph_name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
  },
  queryGraph: {
    graph_name: {
      in: 'query',
      type: 'string',
      required: true,
      description:
        'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
    },
    question: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'A question in natural language.',
    },
    use_reranking: {
      in: 'body',
      type: 'boolean',
      required: false,
      default: true,
      description: 'Let a language model, if one is configured, rank the results.',
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
      description: 'Hops by which the subgraph grows.',
    },
    passage_top_k: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 5,
      minimum: 1,
      maximum: 50,
      description: 'Passages for the answer.',
    },
    filter: {
      in: 'body',
      type: 'string',
      required: false,
      description: 'Filter on the metadata of documents: `year >= 2020 and lang = "en"`.',
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
      description: 'Maximum number of neighbors.',
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
  createToken: {
    name: {
      in: 'body',
      type: 'string',
      required: true,
      description: 'Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.',
    },
    rights: {
      in: 'body',
      type: 'string',
      required: false,
      enum: ['read', 'sync', 'admin'],
      default: 'read',
      description:
        '`read` searches and reads. `sync` also syncs registered sources. `admin` may use every operation.',
    },
    paths: {
      in: 'body',
      type: 'array',
      required: false,
      description:
        'Paths or URIs of sources, folders and objects. The token sees only these and everything below them. Null: all. A token with the right `admin` sees all.',
    },
    expires_in_s: {
      in: 'body',
      type: 'integer',
      required: false,
      minimum: 1,
      maximum: 315360000,
      description: 'Seconds until the token ends. Null: it never ends.',
    },
  },
  rotateToken: {
    name: {
      in: 'path',
      type: 'string',
      required: true,
      description: 'Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.',
    },
    overlap_s: {
      in: 'body',
      type: 'integer',
      required: false,
      default: 0,
      minimum: 0,
      maximum: 2592000,
      description: 'Seconds for which the replaced token stays valid.',
    },
  },
  revokeToken: {
    name: {
      in: 'path',
      type: 'string',
      required: true,
      description: 'Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.',
    },
  },
} as const;
