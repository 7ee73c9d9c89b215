import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operationsOf, record, type Json } from './document.js';

/** Compiles schemas of an OpenAPI document with its components. */
export class DocumentSchemas {
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addKeyword('components');
    this.#ajv.addKeyword('x-untyped');
    this.#ajv.addSchema({ $id: 'root', components: document['components'] });
  }

  component(name: string): ValidateFunction {
    return this.#ajv.compile({ $ref: `root#/components/schemas/${name}` });
  }

  /** Returns the problem of a response according to the document, or ''. */
  problems(operationId: string, status: number, body: unknown): string {
    const found = operationsOf(this.#document).find(
      ({ operation }) => operation['operationId'] === operationId,
    );
    const response = record(found?.operation['responses'])[String(status)];
    if (response === undefined) return `${operationId}: status ${status} is not documented`;
    const [content] = Object.values(record(record(response)['content'])).map(record);
    const text = JSON.stringify(content?.['schema']).replaceAll('"#/', '"root#/');
    const check = this.#ajv.compile(record(JSON.parse(text)));
    if (!check(body)) return `${operationId} ${status}: ${this.#ajv.errorsText(check.errors)}`;
    if (typeof body === 'string') return '';
    const codes = record(response)['x-error-codes'];
    if (!Array.isArray(codes) || !('code' in record(body)) || codes.includes(record(body)['code']))
      return '';
    return `${operationId}: ${String(record(body)['code'])} is not documented`;
  }
}
