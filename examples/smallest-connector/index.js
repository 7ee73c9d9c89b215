const greetings = new Map([
  ['english.md', '# English\n\nHello, and welcome.\nGoodbye.\n'],
  ['french.md', '# French\n\nBonjour et bienvenue.\nAu revoir.\n'],
  ['more/swahili & co.md', '# Swahili\n\nHabari, karibu.\nKwaheri.\n'],
]);

/** @type {import('@trove/core').ConnectorPlugin} */
export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['hello'],
  configSchema: { type: 'object', additionalProperties: false, properties: {} },

  create: ({ error }) => ({
    async *list({ signal }) {
      for (const [path, text] of greetings) {
        signal.throwIfAborted();
        const size = Buffer.byteLength(text);
        yield { path, size, modifiedAt: null, fingerprint: null };
      }
    },

    async read(path, { signal }) {
      signal.throwIfAborted();
      const text = greetings.get(path);
      if (text === undefined) throw error('not_found', `There is no greeting at "${path}".`);
      return { bytes: Buffer.from(text), mediaType: 'text/markdown' };
    },
  }),
};
