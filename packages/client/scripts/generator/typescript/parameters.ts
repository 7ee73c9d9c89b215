import { contractOf, describedSchema } from '../contract.js';
import type { OpenApiDocument, Parameter } from '../document.js';
import { docComment, propertyKey } from './names.js';

/** The parameters of all operations as data, for programs that make options or forms from them. */
export function parametersCode(document: OpenApiDocument): string {
  const rows = contractOf(document)
    .filter(({ parameters }) => parameters.length > 0)
    .map(
      ({ name, parameters }) => `${propertyKey(name)}: {\n${parameters.map(member).join('')}},\n`,
    );
  const doc = docComment('The path and query parameters of each operation that has some.');
  return `${doc}export const parameters = {\n${rows.join('')}} as const;\n`;
}

function member(parameter: Parameter): string {
  const schema = describedSchema(parameter);
  const { type = 'string', enum: choices, default: preset, minimum, maximum, description } = schema;
  const facts = {
    type,
    required: parameter.required === true,
    enum: choices,
    default: preset,
    minimum,
    maximum,
    description,
  };
  // JSON leaves out what a parameter does not have.
  return `${propertyKey(parameter.name)}: ${JSON.stringify(facts)},\n`;
}
