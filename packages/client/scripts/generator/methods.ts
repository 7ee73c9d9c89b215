import {
  type Content,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
} from './document.js';
import type { Models } from './models.js';
import { access, docComment, kebabCase, pascalCase, propertyKey } from './names.js';

/** An operation as a method, with the interface of its parameters. */
export interface Method {
  readonly group: string;
  readonly name: string;
  readonly parametersType: string | undefined;
  readonly declaration: string;
  readonly code: string;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

/** Every operation of the document as a method of its tag's group. */
export function methodsOf(document: OpenApiDocument, models: Models): Method[] {
  const names = new Set<string>();
  return operationsOf(document).map(({ path, method, operation }) => {
    const name = operation.operationId;
    if (name === undefined) throw new Error(`${method} ${path} has no operationId`);
    if (names.has(name)) throw new Error(`two operations have the id ${name}`);
    names.add(name);
    return methodOf({ models, path, method, operation, name });
  });
}

interface Source {
  readonly models: Models;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly name: string;
}

function methodOf(source: Source): Method {
  const { models, operation, name } = source;
  const parameters = (operation.parameters ?? []).filter((parameter) =>
    ['path', 'query'].includes(parameter.in),
  );
  const body = bodyOf(source);
  const members = models.members(
    Object.fromEntries(parameters.map((item) => [item.name, describe(item)])),
    parameters.filter(({ required }) => required === true).map((item) => item.name),
  );
  const all = members + bodyMembers(body);
  const parametersType = all === '' ? undefined : `${pascalCase(name)}Parameters`;
  const optional = body === undefined && parameters.every(({ required }) => required !== true);
  return {
    group: `${pascalCase(operation.tags?.[0] ?? 'Default')}Api`,
    name,
    parametersType,
    declaration:
      parametersType === undefined
        ? ''
        : `${docComment(`Of \`${name}\`.`)}export interface ${parametersType} {\n${all}}\n`,
    code: render(source, { parameters, body, parametersType, optional }),
  };
}

function describe({ schema = {}, description }: Parameter) {
  const text = description ?? schema.description;
  return text === undefined ? schema : { ...schema, description: text };
}

interface Body {
  /** The type of the caller's value. */
  readonly type: string;
  readonly contentTypes: readonly string[];
}

function bodyOf({ models, operation }: Source): Body | undefined {
  const content = operation.requestBody?.content;
  if (content === undefined) return undefined;
  for (const type of [JSON_TYPE, FORM_TYPE]) {
    const { schema } = content[type] ?? {};
    if (schema !== undefined) return { type: models.typeOf(schema), contentTypes: [type] };
  }
  return { type: 'UploadBody', contentTypes: Object.keys(content) };
}

/** Of several media types, the caller says which one the body has. */
function bodyMembers(body: Body | undefined): string {
  if (body === undefined) return '';
  const types = body.contentTypes.map((type) => `'${type}'`).join(' | ');
  return (
    (body.contentTypes.length > 1 ? `readonly contentType: ${types};\n` : '') +
    `readonly body: ${body.type};\n`
  );
}

interface Shape {
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly parametersType: string | undefined;
  readonly optional: boolean;
}

function render(source: Source, shape: Shape): string {
  const { operation, name, method, path } = source;
  const { type, call } = answerOf(source);
  const doc = docComment(
    [operation.summary, operation.description, `\`${method} ${path}\``]
      .filter((text) => text !== undefined && text !== '')
      .join('\n\n'),
  );
  const parameters =
    shape.parametersType === undefined
      ? ''
      : `parameters: ${shape.parametersType}${shape.optional ? ' = {}' : ''}, `;
  return `${doc}${name}(${parameters}options?: CallOptions): ${type} {
  return this.#http.${call}({ ${request(source, shape)} }, options);
}
`;
}

/** The type of a method's result, and the call that brings it; of several successes, whichever comes. */
function answerOf(source: Source): { type: string; call: string } {
  const answers = Object.entries(source.operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => contentOf(source, content));
  const [kind = 'nothing', ...others] = new Set(
    answers.map(({ call }) => call).filter((call) => call !== 'nothing'),
  );
  if (others.length > 0) throw new Error(`${source.name} succeeds in ways that differ in kind`);
  const types = [...new Set(answers.map(({ type }) => type))].join(' | ');
  if (kind === 'bytes') return { type: 'AsyncIterable<Uint8Array>', call: kind };
  const type = { json: types, text: 'string', nothing: 'void' }[kind];
  return { type: `Promise<${type}>`, call: kind === 'json' ? `json<${type}>` : kind };
}

type Kind = 'json' | 'text' | 'bytes' | 'nothing';

function contentOf({ models }: Source, content: Content): { type: string; call: Kind } {
  const [entry] = Object.entries(content);
  if (entry === undefined) return { type: 'void', call: 'nothing' };
  const [mediaType, { schema = {} }] = entry;
  if (mediaType === JSON_TYPE) return { type: models.typeOf(schema), call: 'json' };
  return mediaType.startsWith('text/')
    ? { type: 'string', call: 'text' }
    : { type: 'Uint8Array', call: 'bytes' };
}

function request({ method, path }: Source, { parameters, body }: Shape): string {
  const filled = path.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => `\${pathSegment('${name}', ${access('parameters', name)})}`,
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `${propertyKey(name)}: ${access('parameters', name)}`);
  const parts = [`method: '${method}'`, `path: ${filled === path ? `'${path}'` : `\`${filled}\``}`];
  if (query.length > 0) parts.push(`query: { ${query.join(', ')} }`);
  const [contentType, ...others] = body?.contentTypes ?? [];
  if (contentType === JSON_TYPE) parts.push('json: parameters.body');
  else if (contentType === FORM_TYPE) parts.push('form: parameters.body');
  else if (contentType !== undefined) {
    const given = others.length > 0 ? 'parameters.contentType' : `'${contentType}'`;
    parts.push(`upload: { contentType: ${given}, body: parameters.body }`);
  }
  return parts.join(', ');
}

/** `BrowseApi` lives in `browse-api.ts`. */
export function groupFile(group: string): string {
  return `${kebabCase(group)}.ts`;
}
