/**
 * Questions about this repository, in the words of a developer who does not know it, with the text that proves that an
 * agent has read the answer. The second text is the query of an agent whose first search did not show the answer.
 */
export const questions = [
  [
    'How many hits of the same group may stand at the top of a result list?',
    'limit of similar results from one folder in the ranking',
    /maxPerGroup = 2/,
  ],
  [
    'For how long is a pass valid that replaces the token?',
    'expiry of a temporary read-only token',
    /maxPassS = 24 \* 60 \* 60|at most a\s+(?:\d+: )?\*? ?day/,
  ],
  [
    'Which environment variables keep the memory of the server small with glibc?',
    'glibc malloc environment',
    /MALLOC_ARENA_MAX/,
  ],
  [
    'What happens to a job whose listing kills the process again and again?',
    'job fails after its process died while listing several times',
    /set aside/,
  ],
  [
    'When does the server refuse because clients read their responses too slowly?',
    'overloaded: unsent response bytes of slow clients',
    /Too many responses are waiting/,
  ],
  [
    'What limits the size of a decompressed archive or log?',
    'maximum decompressed bytes',
    /maxDecompressedBytes = /,
  ],
  [
    'By which factor is the score of a test file lowered?',
    'lower score of tests',
    /defaultFactor = 0\.8/,
  ],
  [
    'How many words of a query are checked for spelling errors?',
    'spelling correction limit of words',
    /maxRespelledWords = 8/,
  ],
  [
    'Where is the Host header checked against DNS rebinding?',
    'refuse foreign Host header',
    /function guardHost/,
  ],
  [
    'How slowly may a client upload before it is disconnected?',
    'minimum rate of bytes of an upload body',
    /receiveBytesPerS: 8 \* 1024|8 KiB a second/,
  ],
  [
    'How deep may a JSON body be nested?',
    'maximum nesting depth of JSON request body',
    /maxDepth = 32/,
  ],
  [
    'How does the kit notice that a page of items repeats?',
    'page repeated error of a listing',
    /repeatedPage|repeats a page/,
  ],
  [
    'Where does the PostgreSQL connector remember which transactions it has seen?',
    'snapshot xmin of transactions',
    /xmin/,
  ],
  [
    'Is a catastrophic regular expression in grep stopped?',
    'time limit of a regular expression during grep',
    /matchLinesInTime|TimedMatches/,
  ],
  [
    'What is the Bloom filter used for during ingestion?',
    'Bloom filter of record keys',
    /class BloomFilter|new BloomFilter/,
  ],
  [
    'How does the web crawler obey robots.txt crawl delays?',
    'Crawl-delay robots.txt',
    /crawl.?delay/i,
  ],
  [
    'Where are threads started, and which rule enforces that?',
    'lint rule: only one module may start worker threads',
    /workers\/start\.ts/,
  ],
  [
    'How are rows of an object replaced when a task runs twice?',
    'repeated task replaces rows with the same ids',
    /under the same\s+(?:\d+: )?ids|replace its earlier rows/,
  ],
  ['How is a stale lock of the git remote removed?', 'stale lock file age', /staleMs/],
  [
    'Which HTTP status belongs to the error code locator_not_found?',
    'status of locator_not_found',
    /locator_not_found: \{\s+(?:\d+: )?\s*status: 404|locator_not_found.{0,20}404/,
  ],
];
