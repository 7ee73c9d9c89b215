import { type Body, type ClientOperation, contractOf, describedSchema } from '../contract.js';
import type { OpenApiDocument } from '../document.js';
import { pascalCase } from '../names.js';
import type { Models } from './models.js';
import { access, docComment, kebabCase, propertyKey } from './names.js';

/** Generates an operation as a method, with the interface of its parameters. */
export interface Method {
  readonly group: string;
  readonly name: string;
  readonly parametersType: string | undefined;
  readonly declaration: string;
  readonly code: string;
}

/** Generates every operation of the document as a method of its tag's group. */
export function methodsOf(document: OpenApiDocument, models: Models): Method[] {
  return contractOf(document).map((operation) => methodOf(operation, models));
}

function methodOf(operation: ClientOperation, models: Models): Method {
  const { name, group, parameters, body } = operation;
  const members = models.members(
    Object.fromEntries(parameters.map((item) => [item.name, describedSchema(item)])),
    parameters.filter(({ required }) => required === true).map((item) => item.name),
  );
  const all = members + bodyMembers(body, models);
  const parametersType = all === '' ? undefined : `${pascalCase(name)}Parameters`;
  return {
    group: `${pascalCase(group)}Api`,
    name,
    parametersType,
    declaration:
      parametersType === undefined
        ? ''
        : `${docComment(`The parameters of \`${name}\`.`)}export interface ${parametersType} {\n${all}}\n`,
    code: render(operation, parametersType, models),
  };
}

/** The caller chooses one of several media types. */
function bodyMembers(body: Body | undefined, models: Models): string {
  if (body === undefined) return '';
  if (body.kind !== 'stream') return `readonly body: ${models.typeOf(body.schema)};\n`;
  const types = body.contentTypes.map((type) => `'${type}'`).join(' | ');
  const choice = body.contentTypes.length > 1 ? `readonly contentType: ${types};\n` : '';
  return `${choice}readonly body: UploadBody;\n`;
}

function render(source: ClientOperation, parametersType: string | undefined, models: Models) {
  const { operation, name, method, path, body } = source;
  const { type, call } = answerOf(source, models);
  const doc = docComment(
    [operation.summary, operation.description, `\`${method} ${path}\``]
      .filter((text) => text !== undefined && text !== '')
      .join('\n\n'),
  );
  const optional = body === undefined && source.parameters.every((item) => item.required !== true);
  const parameters =
    parametersType === undefined ? '' : `parameters: ${parametersType}${optional ? ' = {}' : ''}, `;
  return `${doc}${name}(${parameters}options?: CallOptions): ${type} {
  return this.#http.${call}({ ${request(source)} }, options);
}
`;
}

/** Returns the type of a method's result, and the call that returns it. */
function answerOf({ answer }: ClientOperation, models: Models): { type: string; call: string } {
  const { kind, schemas, mayBeEmpty } = answer;
  switch (kind) {
    case 'nothing':
      return { type: 'Promise<void>', call: kind };
    case 'text':
      return { type: 'Promise<string>', call: kind };
    case 'bytes':
      return { type: 'AsyncIterable<Uint8Array>', call: kind };
    case 'json': {
      const types = schemas.map((schema) => models.typeOf(schema));
      const all = [...new Set([...types, ...(mayBeEmpty ? ['void'] : [])])].join(' | ');
      return { type: `Promise<${all}>`, call: `json<${all}>` };
    }
  }
}

function request({ method, path, parameters, body }: ClientOperation): string {
  const filled = path.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => `\${pathSegment('${name}', ${access('parameters', name)})}`,
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `${propertyKey(name)}: ${access('parameters', name)}`);
  const parts = [`method: '${method}'`, `path: ${filled === path ? `'${path}'` : `\`${filled}\``}`];
  if (query.length > 0) parts.push(`query: { ${query.join(', ')} }`);
  if (body !== undefined) parts.push(bodyOption(body));
  return parts.join(', ');
}

function bodyOption(body: Body): string {
  if (body.kind !== 'stream') return `${body.kind}: parameters.body`;
  const [first = '', ...others] = body.contentTypes;
  const given = others.length > 0 ? 'parameters.contentType' : `'${first}'`;
  return `upload: { contentType: ${given}, body: parameters.body }`;
}

/** Returns the file of a group: `BrowseApi` is in `browse-api.ts`. */
export function groupFile(group: string): string {
  return `${kebabCase(group)}.ts`;
}
