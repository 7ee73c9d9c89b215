import { errorCatalogue, type JsonSchema } from '@trove/core';
import {
  errorsOf,
  jsonType,
  tags,
  type NamedOperation,
  type Operation,
  type Success,
} from '@trove/operations';
import { generated } from './generated.js';
import { code, page, table } from './markdown.js';

export function httpPage(operations: readonly NamedOperation[]): string {
  return page(
    generated,
    '# HTTP API',
    'The server returns an OpenAPI 3.1 document at `/openapi.json`, which is `packages/operations/openapi.json` in the ' +
      'repository. The clients are generated from it. The page `/docs` of a server shows it and sends requests.',
    '## In general',
    [
      '- Every request carries `Authorization: Bearer <token>`, except `GET /healthz`, `GET /health`, `GET /llms.txt` and the pages `/` and `/docs`. The token of the server is in ' +
        '`server.token` in the home, unless the [configuration](configuration.md) sets another one, or `-` for none.',
      '- Other tokens come from `POST /v1/tokens` and have rights: `read`, `sync` or `admin`. Each includes the previous ones. An ' +
        'operation beyond the rights of a token gives `forbidden`. [More about tokens](../how-to/give-people-access.md).',
      '- Operations with the rights `read` also accept a pass, `pass.UNTIL.MAC`, for places where a token must not be stored. `UNTIL` is the Unix ' +
        'time in seconds at which it expires, at most a day ahead. `MAC` is the HMAC-SHA256 of `pass.UNTIL` with the token of ' +
        'the server as its key, in base64url.',
      '- Unless a route states otherwise, bodies are JSON in UTF-8 with a JSON content type, of at most 1 MiB, and responses ' +
        'are JSON with status 200.',
      '- An unknown parameter or field, a repeated parameter, a wrong type or a value out of bounds gives 422. The detail names the ' +
        'field and the reason (`query.top_k: must be <= 1000`). Booleans in queries are `true`, `false`, `1` or `0`.',
      '- Paths are absolute local paths or URIs. `/a/b`, `file:///a/b` and `file://local/a/b` are the same. Responses use the ' +
        'last form.',
      '- Every GET route also accepts HEAD. Every response has `X-Request-Id`: that of the request if it is 1 to 128 letters, ' +
        'digits, dots, hyphens and underscores, otherwise a new one. The log contains it, too.',
      '- Errors have the envelope `{code, detail, suggestions}`. See [errors](errors.md).',
    ].join('\n'),
    `In addition to its own errors, every route can return ${list(commonErrors(operations))}. A route with a body can also ` +
      'return `unsupported_media_type` and `payload_too_large`.',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      ...operations.filter((operation) => operation.tag === tag).flatMap(describe),
    ]),
  );
}

function describe(operation: NamedOperation): string[] {
  const parameters = [...fields(operation.params, 'path'), ...fields(operation.query, 'query')];
  const {
    'application/json': json,
    'multipart/form-data': form,
    ...others
  } = operation.body.content;
  const body = [...fields(json ?? {}, 'body'), ...fields(form ?? {}, 'form')];
  const own = operation.errors.map((name) => `${code(name)} (${errorCatalogue[name].status})`);
  return [
    `### \`${operation.method} ${operation.path}\``,
    `${operation.summary}. Operation ${code(operation.name)}. ${rightsNote(operation)}`,
    ...(operation.description === undefined ? [] : [operation.description]),
    ...([...parameters, ...body].length === 0
      ? []
      : [table(['Name', 'In', 'Type', 'Default', 'Meaning'], [...parameters, ...body])]),
    ...(Object.keys(others).length === 0 ? [] : [streamed(others)]),
    ...operation.response.successes.flatMap((success) => [answer(success), ...events(success)]),
    ...(own.length === 0 ? [] : [`Errors: ${own.join(', ')}.`]),
  ];
}

function fields(schema: JsonSchema, place: string): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => [
    code(name),
    place,
    typeOf(property),
    required.has(name) ? 'required' : property.default === undefined ? '–' : code(property.default),
    property.description ?? '',
  ]);
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.items?.format === 'binary') return 'files';
  const type = [schema.type ?? []].flat().join(' or ');
  const { minimum: from, maximum: to } = schema;
  return from === undefined || to === undefined ? type : `${type} ${from} to ${to}`;
}

function commonErrors(operations: readonly NamedOperation[]): string[] {
  return operations.filter(({ name }) => name === 'getServerInfo').flatMap(errorsOf);
}

function list(names: readonly string[]): string {
  return names.map(code).join(', ');
}

function streamed(content: Operation['body']['content']): string {
  const sizes = Object.values(content).flatMap(({ maxLength }) => maxLength ?? []);
  const most =
    sizes.length === 0 ? '`[uploads].max_bytes`' : Math.max(...sizes).toLocaleString('en');
  return `Body: bytes as ${list(Object.keys(content))}, at most ${most}, read as they arrive.`;
}

function answer({ status, content, description }: Success): string {
  const title = content?.schema.title;
  const facts = [
    ...(status === 200 ? [] : [String(status)]),
    ...(content === null || content.type === jsonType ? [] : [code(content.type)]),
    ...(title === undefined ? [] : [code(title)]),
  ];
  return `Response: ${facts.length === 0 ? '' : `${facts.join(', ')}. `}${description}`;
}

function events({ events: description }: Success): string[] {
  return description === undefined
    ? []
    : [`With \`Accept: text/event-stream\`, the response is server-sent events. ${description}`];
}

function rightsNote({ isPublic, rights }: Pick<NamedOperation, 'isPublic' | 'rights'>): string {
  return isPublic === true ? 'Needs no token.' : `Rights: ${code(rights)}.`;
}
