import { defineConnector, type Connector, type SourceRecord } from '@trove/core';

const rows: readonly SourceRecord[] = [
  { key: { id: 7 }, fields: { id: 7, name: 'anvil', price: 90 } },
  { key: { id: 8 }, fields: { id: 8, name: 'rocket skates', price: 1200 } },
];

/** Makes listings of the shop wait, or makes the whole shop fail. */
export class Gate {
  closed = false;
  /** The code of the failure. */
  reason: 'connector_unhealthy' | 'rate_limited' = 'connector_unhealthy';
  /** Number of arrivals. */
  arrivals = 0;
  #opened: Promise<void> = Promise.resolve();
  #open = (): void => {};

  shut(): void {
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.#open();
  }

  pass(): Promise<void> {
    this.arrivals++;
    return this.#opened;
  }
}

/** Replaces the file connector, with unreadable files and listings that wait. */
export function heldFiles(gate: Gate) {
  return defineConnector({
    keys: ['file'],
    defaultAuthority: 'local',
    configSchema: { type: 'object', additionalProperties: false },
    create: (context): Connector => ({
      async *list() {
        await gate.pass();
        yield { path: 'x', size: null, modifiedAt: null, fingerprint: null, skip: 'held' };
      },
      read: () => Promise.reject(context.error('not_found', 'There is nothing')),
    }),
  });
}

/** A record source without order and with a secret, which can be unhealthy. */
export function shopConnector(gate: Gate) {
  return defineConnector({
    keys: ['shop'],
    configSchema: {
      type: 'object',
      properties: {
        key: { type: 'string', writeOnly: true },
        well: { type: 'boolean', default: true },
      },
      required: ['key'],
      additionalProperties: false,
    },
    capabilities: { stableOrder: false },
    create(context): Connector {
      const { config } = context;
      const sick = () => context.error(gate.reason, 'The shop is closed');
      return {
        async *list({ signal }) {
          if (!config.well || gate.closed) throw sick();
          const aborted = new Promise<never>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
          );
          await Promise.race([gate.pass(), aborted]);
          yield {
            path: 'goods',
            kind: 'table_rows',
            size: null,
            modifiedAt: null,
            fingerprint: null,
          };
        },
        async *records() {
          if (!config.well || gate.closed) throw sick();
          yield* rows;
        },
        check: () => Promise.resolve({ ok: config.well, detail: config.well ? 'open' : 'closed' }),
      };
    },
  });
}
