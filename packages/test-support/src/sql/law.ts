import { everyThird, markedText, marksIn, nextEdition, type LawSource } from '../sync-law.js';

const rowCount = 9;
const tables = ['people', 'logs'] as const;

/**
 * Fills an empty database with a table with a key, one without, and a view, and returns the members of their law source.
 * `folder`: the folder of the tables in the source, such as `public/`.
 */
export async function markedTables(
  write: (sql: string) => Promise<unknown>,
  folder: string,
): Promise<Pick<LawSource, 'changeAll' | 'content' | 'removeThird'>> {
  const texts = Object.fromEntries(
    tables.map((table) => [
      table,
      new Map(Array.from({ length: rowCount }, (_, id) => [id, markedText()])),
    ]),
  );
  await write(`create table people(id int primary key, note varchar(200));
    create table logs(id int, note varchar(200)); create view shown as select id, note from people`);
  for (const table of tables)
    for (const [id, text] of texts[table] ?? [])
      await write(`insert into ${table} values (${id}, '${text}')`);
  return {
    content: () => {
      const rows = { ...texts, shown: texts['people'] };
      const entries = Object.entries(rows).flatMap(([table, held]) => [
        [`${folder}${table}/rows.jsonl`, marksIn([...(held?.values() ?? [])])] as const,
        [`${folder}${table}/schema.json`, []] as const,
      ]);
      return Object.fromEntries(entries);
    },
    changeAll: async () => {
      for (const table of tables)
        for (const [id, text] of texts[table] ?? []) {
          texts[table]?.set(id, nextEdition(text));
          await write(`update ${table} set note = '${nextEdition(text)}' where id = ${id}`);
        }
    },
    removeThird: async () => {
      for (const table of tables)
        for (const id of everyThird(texts[table]?.keys() ?? [])) {
          texts[table]?.delete(id);
          await write(`delete from ${table} where id = ${id}`);
        }
    },
  };
}
