import { defineConnector, describeError } from '@trove/core';

/** @typedef {{ id: string, title: string, text: string, author: string, changed: string }} Note */

/** Reads the notes of a service. Each note is a document, `ID.md`. */
export default defineConnector({
  keys: ['__scheme__'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: { type: 'string', description: 'Address of the API: https://notes.example.com/api.' },
      token: {
        type: 'string',
        writeOnly: true,
        description: 'Token of the API, best given as env:NAME or file:/path.',
      },
    },
  },
  create({ config, credentials, http, error }) {
    /** Requests a path of the API. Returns null for 404, and throws a readable error for other failures. */
    async function getJson(/** @type {string} */ path, /** @type {AbortSignal} */ signal) {
      const token = await credentials.get('token');
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await http(`${config.url}${path}`, { headers, signal });
      if (response.status === 404) return null;
      if (response.status === 401)
        throw error('connector_unhealthy', 'The service refused the token.', {
          suggestions: ['Set `token` in the configuration to a token that may read notes.'],
        });
      if (!response.ok)
        throw error('connector_unhealthy', `The service answered with ${response.status}.`, {
          retryable: response.status >= 500,
        });
      return response.json();
    }

    return {
      async *list({ signal }) {
        for (let path = '/notes'; path !== '';) {
          /** @type {{ notes: Note[], next?: string } | null} */
          const page = await getJson(path, signal);
          for (const { id, title, author, changed } of page?.notes ?? []) {
            const modifiedAt = Date.parse(changed);
            yield { path: `${id}.md`, size: null, modifiedAt, fingerprint: changed, title, author };
          }
          path = page?.next ?? '';
        }
      },

      async read(path, { signal }) {
        const [, id] = /^([^/\0]+)\.md$/.exec(path) ?? [];
        /** @type {Note | null} */
        const note =
          id === undefined ? null : await getJson(`/notes/${encodeURIComponent(id)}`, signal);
        if (note === null) throw error('not_found', `There is no note at "${path}".`);
        return {
          bytes: Buffer.from(`# ${note.title}\n\n${note.text}\n`),
          mediaType: 'text/markdown',
        };
      },

      async check({ signal }) {
        try {
          await getJson('/notes', signal);
          return { ok: true, detail: 'The service answers.' };
        } catch (cause) {
          signal.throwIfAborted();
          return { ok: false, detail: describeError(cause) };
        }
      },
    };
  },
});
