import { defineConnector, inSentences } from '@trove/core';

/** @typedef {{ id: string, title: string, text: string, author: string, changed: string }} Note */

/** Makes the notes of a service one document each: `NOTE.md`. */
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
    /** The answer to a question, null if there is none. Other failures are errors in words. */
    async function ask(/** @type {string} */ path, /** @type {AbortSignal} */ signal) {
      const token = await credentials.get('token');
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await http(`${config.url}${path}`, { headers, signal });
      if (answer.status === 404) return null;
      if (answer.status === 401)
        throw error('connector_unhealthy', 'The service refused the token.', {
          suggestions: ['Give a token that may read notes, as `token` in the configuration.'],
        });
      if (!answer.ok)
        throw error('connector_unhealthy', `The service answered with ${answer.status}.`, {
          retryable: answer.status >= 500,
        });
      return answer.json();
    }

    return {
      async *list({ signal }) {
        for (let page = '/notes'; page !== '';) {
          /** @type {{ notes: Note[], next?: string } | null} */
          const found = await ask(page, signal);
          for (const { id, title, author, changed } of found?.notes ?? []) {
            const modifiedAt = Date.parse(changed);
            yield { path: `${id}.md`, size: null, modifiedAt, fingerprint: changed, title, author };
          }
          page = found?.next ?? '';
        }
      },

      async read(path, { signal }) {
        const [, id] = /^([^/\0]+)\.md$/.exec(path) ?? [];
        /** @type {Note | null} */
        const note =
          id === undefined ? null : await ask(`/notes/${encodeURIComponent(id)}`, signal);
        if (note === null) throw error('not_found', `There is no note at "${path}".`);
        return {
          bytes: Buffer.from(`# ${note.title}\n\n${note.text}\n`),
          mediaType: 'text/markdown',
        };
      },

      async check({ signal }) {
        try {
          await ask('/notes', signal);
          return { ok: true, detail: 'The service answers.' };
        } catch (cause) {
          signal.throwIfAborted();
          return { ok: false, detail: inSentences(cause) };
        }
      },
    };
  },
});
