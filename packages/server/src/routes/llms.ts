import { contentResponse, operation, withoutCommand } from '@trove/operations';
import { route, type Route } from './route.js';

const llmsOperation = operation({
  rights: 'read',
  method: 'GET',
  path: '/llms.txt',
  tag: 'Server',
  summary: 'Describe the server to agents',
  response: contentResponse('The description.', 'text/plain; charset=utf-8', {
    'X-Content-Type-Options': 'nosniff',
  }),
  errors: [],
  isPublic: true,
  withoutEngine: true,
  exposure: withoutCommand('Agents load it.'),
});

/**
 * Returns the route of the description of the server for agents, with the address of the request. `graphBase` is the path
 * of the graph routes, '' for the root.
 */
export function llmsRoute(graphBase: string): Route {
  return route('llms.txt', llmsOperation, (_engine, _input, { origin }) =>
    description(origin, graphBase),
  );
}

/** Stands for an address that the server does not know. */
const unknownOrigin = '$TROVE_URL';

function description(knownOrigin: string | null, graphBase: string): string {
  const origin = knownOrigin ?? unknownOrigin;
  const originNote =
    knownOrigin === null
      ? `\n\`${unknownOrigin}\` is the address of this document without \`/llms.txt\`.`
      : '';
  const get = (path: string): string =>
    `    curl -H "Authorization: Bearer $TROVE_TOKEN" "${origin}${path}"`;
  const post = (path: string, body: object): string =>
    `${get(path)} -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  return `# Trove

> Trove searches, greps, lists and reads sources such as folders, repositories, databases and web services as one tree. Paths are URIs. Responses are JSON.

Send the token with each request: \`Authorization: Bearer TOKEN\`. It is in \`server.token\` in the home of the server. A server can run without a token.
An error has \`code\`, \`detail\` and \`suggestions\`. The suggestions say what to do next.${originNote}

## Find

Passages by meaning and words, best first. \`snippet\` limits the characters of a hit, \`fields\` its members, and \`max_bytes\` the response:

${get('/v1/search?q=restore+a+backup&snippet=300&fields=source,content,locator&max_bytes=4000')}

Every line with a text. \`regex=true\` takes a regular expression:

${get('/v1/grep?pattern=TODO&glob=*.md')}

The definitions of a name and the lines that use it:

${get('/v1/symbols?name=parseHeader')}

## Read

The sources with their age and their jobs, then the entries of a folder:

${get('/v1/status')}
${get('/v1/ls?path=file:///notes')}

The lines of an object. \`locator\` of a hit reads its lines, \`context=N\` adds lines around them, \`enclosing=true\` returns the whole definition, and \`density=peek\` an outline:

${get('/v1/cat?path=file:///notes/backup.md&range=1:40&numbers=true')}

## Several requests at once

At most 20, with the parameters of search and cat. An error of one does not affect the others:

${post('/v1/search/batch', { queries: [{ q: 'restore a backup', snippet: 300 }, { q: 'rotate tokens' }], max_bytes: 20_000 })}
${post('/v1/read/batch', { reads: [{ path: 'file:///notes/backup.md', range: '1:40' }], max_bytes: 20_000 })}

## Knowledge graphs

A graph answers a question that needs facts from several documents, with cited passages. The first request lists the graphs, and most servers have none:

${get(`${graphBase}/graphs`)}
${post(`${graphBase}/query?graph_name=guide`, { question: 'When are the tokens rotated?' })}

The size of a graph, and the entities related to one of an answer:

${get(`${graphBase}/graph/guide/stats`)}
${get(`${graphBase}/graph/guide/neighbors/ENTITY_ID?limit=20`)}

## Budgets

- Search with \`snippet=300\` and \`max_bytes=4000\` first. If the response has \`truncated\`, repeat the request with \`offset\` set to its \`next_offset\`.
- Read the lines of a hit and not the whole object. \`cat\` returns at most 1,048,576 characters.
- With \`max_bytes\`, a result of a batch that does not fit becomes the error \`payload_too_large\`. Request it alone.

## More

- [Model Context Protocol](${origin}/mcp): tools for agents over streamable HTTP, with the same token.
- [OpenAPI document](${origin}/openapi.json): all operations, with the same token.
- [Documentation of the API](${origin}/docs): a page for browsers.
`;
}
