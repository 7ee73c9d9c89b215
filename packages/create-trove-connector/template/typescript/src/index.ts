import { defineConnector, describeError } from '@trove/core';

interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  /** ISO date and time of the last change. */
  readonly changed: string;
}

interface Page {
  readonly notes: readonly Note[];
  /** The path of the next page. */
  readonly next?: string;
}

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
    async function getJson<T>(path: string, signal: AbortSignal): Promise<T | null> {
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
      return (await response.json()) as T;
    }

    return {
      async *list({ signal }) {
        for (let path = '/notes'; path !== '';) {
          const page = await getJson<Page>(path, signal);
          for (const { id, title, author, changed } of page?.notes ?? []) {
            const modifiedAt = Date.parse(changed);
            yield { path: `${id}.md`, size: null, modifiedAt, fingerprint: changed, title, author };
          }
          path = page?.next ?? '';
        }
      },

      async read(path, { signal }) {
        const [, id] = /^([^/\0]+)\.md$/.exec(path) ?? [];
        const note =
          id === undefined ? null : await getJson<Note>(`/notes/${encodeURIComponent(id)}`, signal);
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
