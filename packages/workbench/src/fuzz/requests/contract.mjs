import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Statuses that any operation may return, because the server rejects the request before it knows the route. */
const general = new Set([401, 404, 405, 413, 415, 417, 431]);

const envelopeSchema = '#/components/schemas/ErrorEnvelope';

/**
 * Returns the operations of an OpenAPI document: `{ id, method, path, open, parameters, body, answers }`. `parameters`
 * are `{ name, in, required, schema }`. `body` is the schema of a JSON body with resolved properties, or null. `stream`
 * contains the media types of another body, or null.
 */
export function readContract(document) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: false });
  addFormats.default(ajv);
  // The document contains the schemas but is not a schema itself.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'api');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      /** The rights that a caller needs. Undefined for an open operation. */
      rights: operation['x-rights'],
      open: Array.isArray(operation.security) && operation.security.length === 0,
      parameters: operation.parameters ?? [],
      body: bodyOf(document, operation),
      stream: streamOf(operation),
      answers: answersOf(ajv, path, method, operation),
    })),
  );
  return { operations, envelope: ajv.compile({ $ref: `api${envelopeSchema}` }) };
}

export function isGeneral(status) {
  return general.has(status);
}

function bodyOf(document, operation) {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (schema === undefined) return null;
  return schema.$ref === undefined ? schema : resolved(document, schema.$ref);
}

function streamOf({ requestBody }) {
  const types = Object.keys(requestBody?.content ?? {});
  return types.length === 0 || types.includes('application/json') ? null : types;
}

function resolved(document, reference) {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce((node, key) => node[key], document);
}

/**
 * By status: the error codes (null for a success), the media type (null without a body), and the validator of a JSON
 * body.
 */
function answersOf(ajv, path, method, operation) {
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => {
      const [type = null] = Object.keys(response.content ?? {});
      const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
      const schema = response.content?.[type]?.schema;
      return [
        Number(status),
        {
          codes: response['x-error-codes'] ?? null,
          type,
          isEnvelope: schema?.$ref === envelopeSchema,
          matches:
            type === 'application/json'
              ? ajv.compile({ $ref: `api#/${pointer.map(escaped).join('/')}` })
              : null,
        },
      ];
    }),
  );
}

function escaped(part) {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
