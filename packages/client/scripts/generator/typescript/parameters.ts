import { type Body, contractOf, describedSchema } from '../contract.js';
import { dereference, type OpenApiDocument, type Parameter, type Schema } from '../document.js';
import { docComment, propertyKey } from './names.js';

/** Returns the parameters of all operations as data, for programs that create options or forms from them. */
export function parametersCode(document: OpenApiDocument): string {
  const rows = contractOf(document)
    .map(({ name, parameters, body }) => ({
      name,
      members: [...parameters, ...simpleProperties(document, body)],
    }))
    .filter(({ members }) => members.length > 0)
    .map(({ name, members }) => {
      const names = new Set(members.map((member) => member.name));
      if (names.size < members.length)
        throw new Error(`${name} has two parameters with the same name`);
      return `${propertyKey(name)}: {\n${members.map(memberCode).join('')}},\n`;
    });
  const doc = docComment(
    'The parameters of each operation: those of its path and query, and the simple properties of its body.',
  );
  return `${doc}export const parameters = {\n${rows.join('')}} as const;\n`;
}

/** Returns the properties of a body that are texts, numbers, booleans or lists of texts. */
function simpleProperties(document: OpenApiDocument, body: Body | undefined): Parameter[] {
  if (body === undefined || body.kind === 'stream') return [];
  const { properties = {}, required = [] } = dereference(document, body.schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const schema = { ...property, type: typeOf(property) };
    if (!isSimple(schema) && !(schema.type === 'array' && isSimple(property.items ?? {})))
      return [];
    return [{ name, in: 'body', required: required.includes(name), schema }];
  });
}

function isSimple({ type, format }: Schema): boolean {
  return ['string', 'integer', 'boolean'].includes(String(type)) && format !== 'binary';
}

/** Returns the type of a value that is not null; `any` if the schema states none. */
function typeOf({ type, enum: choices }: Schema): string {
  if (type === undefined) return choices === undefined ? 'any' : 'string';
  return [type].flat().find((name) => name !== 'null') ?? 'any';
}

function memberCode(parameter: Parameter): string {
  const schema = describedSchema(parameter);
  const { type = 'string', enum: choices, default: preset, minimum, maximum, description } = schema;
  const facts = {
    in: parameter.in,
    type,
    required: parameter.required === true,
    enum: choices,
    default: preset ?? undefined,
    minimum,
    maximum,
    description,
  };
  // JSON omits missing facts of a parameter.
  return `${propertyKey(parameter.name)}: ${JSON.stringify(facts)},\n`;
}
