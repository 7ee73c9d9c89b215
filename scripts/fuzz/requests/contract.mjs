import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Statuses that any operation may answer with, whatever its own list says: refusals before a route is known. */
const GENERAL = new Set([401, 404, 405, 413, 415, 417, 431]);

/**
 * The operations of an OpenAPI document: `{ id, method, path, open, parameters, body, answers }`. `parameters` are
 * `{ name, in, required, schema }`, `body` is the schema of a JSON body with its properties resolved, or null.
 */
export function readContract(document) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: false });
  addFormats.default(ajv);
  // The document holds the schemas, and is none itself.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'api');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      open: Array.isArray(operation.security) && operation.security.length === 0,
      parameters: operation.parameters ?? [],
      body: bodyOf(document, operation),
      answers: answersOf(ajv, path, method, operation),
    })),
  );
  return { operations, envelope: ajv.compile({ $ref: 'api#/components/schemas/ErrorEnvelope' }) };
}

export function isGeneral(status) {
  return GENERAL.has(status);
}

function bodyOf(document, operation) {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (schema === undefined) return null;
  return schema.$ref === undefined ? schema : resolved(document, schema.$ref);
}

function resolved(document, reference) {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce((node, key) => node[key], document);
}

/** By status: the codes of an error, or what checks the body of a success. */
function answersOf(ajv, path, method, operation) {
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => {
      const type = Object.keys(response.content ?? {})[0];
      if (type === undefined) throw new Error(`${method} ${path} ${status} has no content`);
      const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
      return [
        Number(status),
        {
          codes: response['x-error-codes'] ?? null,
          matches: ajv.compile({ $ref: `api#/${pointer.map(escaped).join('/')}` }),
        },
      ];
    }),
  );
}

function escaped(part) {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
