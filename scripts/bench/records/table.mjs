/* A table of generated rows, about 200 bytes of text each. */

const WORDS =
  'harbour sail winter letter copper garden window river market silver bridge paper candle orchard storm engine valley lantern basket meadow signal anchor thread'.split(
    ' ',
  );
const ROW_CHARS = 190;
export const CHANGED = 'a changed zebra row';

export function textOf(id) {
  let state = (id * 2654435761) % 4294967296;
  let text = `row ${id}`;
  while (text.length < ROW_CHARS) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    text += ` ${WORDS[state % WORDS.length]}${state % 997}`;
  }
  return text;
}

/** A connector whose one table has so many rows, one of which changes; `follows`: it tells which, by a cursor. */
export function tableOf({ rows, scheme, follows }) {
  const table = { changed: -1, connector: null };
  const recordOf = (id) => {
    return { key: { id }, fields: { id, text: id === table.changed ? CHANGED : textOf(id) } };
  };
  table.records = async function* () {
    for (let id = 0; id < rows; id++) yield recordOf(id);
  };
  const facts = { size: null, modifiedAt: null, fingerprint: null };
  const entry = { path: 'rows', kind: 'table_rows', keyFields: ['id'], ...facts };
  const changes = async function* ({ cursor, commit }) {
    if (cursor === undefined) yield { entry };
    else yield { path: 'rows', records: [recordOf(table.changed)], removedKeys: [], total: rows };
    commit(1);
  };
  table.connector = {
    kind: 'connector',
    apiVersion: 1,
    keys: [scheme],
    configSchema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      async *list() {
        yield entry;
      },
      stat: async () => entry,
      records: (_, { key }) => (key === undefined ? table.records() : one(recordOf(key.id))),
      ...(follows ? { changes } : {}),
    }),
  };
  return table;
}

async function* one(record) {
  yield record;
}
