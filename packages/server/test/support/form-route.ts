import { createHash } from 'node:crypto';
import type { Gate } from 'trove';
import { formBody, jsonResponse, operation, withoutCommand } from '@trove/operations';
import type { MultipartForm } from '../../src/http/body/form.js';
import { route, type Route } from '../../src/routes/route.js';

export const formLimit = 4 * 2 ** 20;

export interface Options {
  readonly chunk_size: number;
  readonly deep: boolean;
  readonly graph: string;
}

/** A form like that of the graph routes. The response echoes it. */
export function formRoute(
  look: (form: MultipartForm<Options>) => Promise<void> = async () => {},
  gate?: Gate,
): Route {
  return route(
    'form',
    operation({
      rights: 'read',
      tag: 'Server',
      summary: 'A form',
      errors: ['storage_unavailable'],
      withoutEngine: true,
      exposure: withoutCommand('Only tests serve it.'),
      method: 'POST',
      path: '/kinds/form',
      body: formBody({
        fields: {
          type: 'object',
          properties: {
            chunk_size: {
              type: 'integer',
              minimum: 1,
              default: 1000,
              description: 'In characters.',
            },
            deep: { type: 'boolean', default: true },
            graph: { type: 'string', default: '' },
          },
          additionalProperties: false,
        },
        files: 'files',
        maxFiles: 3,
        maxBytes: formLimit,
      }),
      response: jsonResponse('What has arrived.', {
        type: 'object',
        title: 'Received',
        properties: { fields: { type: 'object' }, files: { type: 'array' } },
        required: ['fields', 'files'],
        additionalProperties: false,
      }),
    }),
    async (_engine, { body }) => {
      await look(body);
      const files = [];
      for (const file of body.files) {
        const hash = createHash('sha256');
        for await (const piece of file.read()) hash.update(piece);
        const { name, type, size } = file;
        files.push({ name, type, size, sha256: hash.digest('hex') });
      }
      return { fields: body.fields, files };
    },
    gate,
  );
}
