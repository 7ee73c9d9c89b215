import { createConnection, type Connection } from 'mysql2/promise';

import { SqlWorld, type SqlWords, type Writer } from '@trove/test-support/sql/world.js';
import plugin from '../src/index.js';
import { quoteIdentifier } from '../src/names.js';

/** The databases `shop` and `empty` of a server. Tests write to them, and connectors read them. */
export class World extends SqlWorld {
  readonly words: SqlWords = {
    timeType: 'datetime(6)',
    bytesType: 'varbinary(9)',
    textType: 'longtext',
    quoted: quoteIdentifier,
    text: (value) => `'${value.replaceAll('\\', '\\\\')}'`,
    bytes: (hex) => `x'${hex}'`,
    series: (from, to) => `seq_${from}_to_${to}`,
  };

  constructor({ url }: { readonly url: string }) {
    super({ plugin, url, scheme: 'mysql', database: 'shop', folder: '' });
  }

  async writer(): Promise<Writer> {
    const client = await this.#connected('shop');
    await client.query(`set time_zone = '+00:00'`);
    return {
      query: async (sql) => {
        const [rows] = await client.query(sql);
        return Array.isArray(rows) ? rows : [];
      },
      end: () => client.end(),
    };
  }

  async clear(): Promise<void> {
    await this.closeConnectors();
    const client = await this.#connected();
    for (const name of ['shop', 'more', 'empty', '50% off/#1 ?'])
      await client.query(`drop database if exists ${quoteIdentifier(name)}`);
    for (const name of ['shop', 'empty'])
      await client.query(`create database ${name} character set utf8mb4`);
    await client.end();
  }

  #connected(database?: string): Promise<Connection> {
    return createConnection({
      ...this.address,
      ...this.login,
      ...(database === undefined ? {} : { database }),
      multipleStatements: true,
      charset: 'utf8mb4',
    });
  }
}
