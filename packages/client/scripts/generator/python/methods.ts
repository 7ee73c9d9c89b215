import { type OperationResult, type ClientOperation, describedSchema } from '../contract.js';
import type { Schema } from '../document.js';
import { type PythonModels, union } from './models.js';
import { docstring, identifier, literal, snakeCase } from './names.js';

/** A parameter of a method. */
interface Argument {
  /** The name in the API. */
  readonly key: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Generates an operation as a method of its group's class. */
export function methodOf(source: ClientOperation, models: PythonModels): string {
  const { name, operation, method, path, parameters, body } = source;
  const given = parameters.map((item) => ({
    key: item.name,
    schema: describedSchema(item),
    required: item.required === true,
  }));
  const carried = bodyArguments(source, models);
  const all = [...given, ...carried];
  const doc = [
    operation.summary,
    operation.description,
    `\`${method} ${path}\``,
    all
      .filter(({ schema }) => schema.description !== undefined)
      .map(({ key, schema }) => `:param ${identifier(key)}: ${schema.description}`)
      .join('\n'),
  ];
  const text = doc.filter((part) => part !== undefined && part !== '').join('\n\n');
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const keywords = [
    queried.length === 0 ? '' : `query=${dictionary(queried.map((item) => item.name))}`,
    body === undefined ? '' : `body=${sent(source, carried)}`,
    'timeout=timeout',
  ].filter((keyword) => keyword !== '');
  const { type, call, decoder } = answerOf(source.answer, name, models);
  return (
    `    def ${snakeCase(name)}(\n${signature(source, all, models)}    ) -> ${type}:\n` +
    docstring(text, 8) +
    `        return self._http.${call}(\n` +
    [literal(method), pathOf(path), ...decoder, ...keywords]
      .map((argument) => `            ${argument},\n`)
      .join('') +
    '        )\n'
  );
}

function bodyArguments({ name, body }: ClientOperation, models: PythonModels): Argument[] {
  if (body === undefined || body.kind === 'stream') return [];
  const { properties, required = [] } = models.resolved(body.schema);
  if (properties === undefined) throw new Error(`${name} has a body that is not an object`);
  return Object.entries(properties).map(([key, schema]) => ({
    key,
    schema,
    required: required.includes(key),
  }));
}

/** Required parameters are positional or named, the others only named. */
function signature(
  source: ClientOperation,
  all: readonly Argument[],
  models: PythonModels,
): string {
  const { name, body } = source;
  const names = all.map(({ key }) => identifier(key));
  const typed = (argument: Argument): string =>
    `${identifier(argument.key)}: ${models.typeOf(argument.schema, `${name} ${argument.key}`)}`;
  const first = all.filter(({ required }) => required).map(typed);
  const named = all
    .filter(({ required }) => !required)
    .map((argument) => {
      const [key = '', ...type] = typed(argument).split(': ');
      return `${key}: ${union([type.join(': '), 'None'])} = None`;
    });
  if (body?.kind === 'stream') {
    first.push('body: UploadBody');
    names.push('body');
    if (body.contentTypes.length > 1) {
      named.unshift(`content_type: Literal[${body.contentTypes.map(literal).join(', ')}]`);
      names.push('content_type');
    }
  }
  names.push('self', 'timeout');
  if (new Set(names).size < names.length)
    throw new Error(`${name} has two parameters with the same name`);
  return ['self', ...first, '*', ...named, 'timeout: float | None = None']
    .map((part) => `        ${part},\n`)
    .join('');
}

function pathOf(path: string): string {
  const filled = path.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => `{path_segment('${name}', ${identifier(name)})}`,
  );
  return filled === path ? literal(path) : `f${literal(filled)}`;
}

function sent({ body }: ClientOperation, carried: readonly Argument[]): string {
  if (body?.kind === 'stream') {
    const [first, ...others] = body.contentTypes;
    return `Stream(body, ${others.length > 0 ? 'content_type' : literal(first)})`;
  }
  const kind = body?.kind === 'form' ? 'Form' : 'Json';
  return `${kind}(${dictionary(carried.map(({ key }) => key))})`;
}

function dictionary(keys: readonly string[]): string {
  const items = keys.map((key) => `${literal(key)}: ${identifier(key)}`);
  const line = `{${items.join(', ')}}`;
  if (line.length <= 70) return line;
  return `{\n${items.map((item) => `                ${item},\n`).join('')}            }`;
}

function answerOf(
  { kind, schemas, mayBeEmpty }: OperationResult,
  name: string,
  models: PythonModels,
): { type: string; call: string; decoder: readonly string[] } {
  switch (kind) {
    case 'nothing':
      return { type: 'None', call: kind, decoder: [] };
    case 'text':
      return { type: 'str', call: kind, decoder: [] };
    case 'bytes':
      return { type: 'Iterator[bytes]', call: 'stream', decoder: [] };
    case 'json': {
      const [only, ...others] = schemas;
      const schema = others.length === 0 ? (only ?? {}) : { oneOf: schemas };
      const type = models.typeOf(schema, `${name} answer`);
      return {
        type: mayBeEmpty ? union([type, 'None']) : type,
        call: kind,
        decoder: [models.decoderOf(schema, `${name} answer`) ?? 'identity'],
      };
    }
  }
}
