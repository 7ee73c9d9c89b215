import {
  type Content,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Schema,
} from './document.js';

/** The body of a request. */
export type Body =
  | { readonly kind: 'json'; readonly schema: Schema }
  | { readonly kind: 'form'; readonly schema: Schema }
  | { readonly kind: 'stream'; readonly contentTypes: readonly string[] };

/** The result of an operation. It covers all successful responses. */
export interface OperationResult {
  readonly kind: 'json' | 'text' | 'bytes' | 'nothing';
  /** The schemas of JSON responses. */
  readonly schemas: readonly Schema[];
  /** True if a successful response may have no content. */
  readonly mayBeEmpty: boolean;
}

/** An operation of the document, as every client offers it. */
export interface ClientOperation {
  readonly name: string;
  /** Its tag. */
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** Parameters in the path and in the query. */
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly answer: OperationResult;
}

const jsonType = 'application/json';
const formType = 'multipart/form-data';

/** Returns every operation of the document. Throws for operations that a client cannot support. */
export function contractOf(document: OpenApiDocument): ClientOperation[] {
  const names = new Set<string>();
  return operationsOf(document).map(({ path, method, operation }) => {
    const name = operation.operationId;
    if (name === undefined) throw new Error(`${method} ${path} has no operationId`);
    if (names.has(name)) throw new Error(`two operations have the id ${name}`);
    names.add(name);
    const parameters = (operation.parameters ?? []).filter(
      (parameter) => ['path', 'query'].includes(parameter.in) && parameter['x-untyped'] !== true,
    );
    return {
      name,
      group: operation.tags?.[0] ?? 'Default',
      method,
      path,
      operation,
      parameters,
      body: bodyOf(operation),
      answer: answerOf(name, operation),
    };
  });
}

/** Returns a parameter's schema with the description of the parameter. */
export function describedSchema({ schema = {}, description }: Parameter): Schema {
  const text = description ?? schema.description;
  return text === undefined ? schema : { ...schema, description: text };
}

function bodyOf({ requestBody }: Operation): Body | undefined {
  if (requestBody === undefined) return undefined;
  const { content } = requestBody;
  const { [jsonType]: json, [formType]: form } = content;
  if (json !== undefined) return { kind: 'json', schema: json.schema ?? {} };
  if (form !== undefined) return { kind: 'form', schema: form.schema ?? {} };
  return { kind: 'stream', contentTypes: Object.keys(content) };
}

function answerOf(name: string, { responses }: Operation): OperationResult {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => content);
  const kinds = new Set(contents.map(kindOf));
  const mayBeEmpty = kinds.delete('nothing');
  const [kind = 'nothing', ...others] = kinds;
  if (others.length > 0) throw new Error(`${name} has successful responses of different kinds`);
  const schemas = contents.flatMap(({ [jsonType]: json }) =>
    json === undefined ? [] : [json.schema ?? {}],
  );
  return { kind, schemas, mayBeEmpty };
}

function kindOf(content: Content): OperationResult['kind'] {
  const [mediaType] = Object.keys(content);
  if (mediaType === undefined) return 'nothing';
  if (mediaType === jsonType) return 'json';
  return mediaType.startsWith('text/') ? 'text' : 'bytes';
}
