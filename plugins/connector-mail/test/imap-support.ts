import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorContext } from '@trove/testkit';
import type { Connector } from '@trove/core';

import { MailAccount } from '@trove/test-support/mail-account.js';
import { imap as plugin } from '../src/index.js';

export { plugin };

export interface Config {
  readonly password?: string;
  readonly refresh_token?: string;
  readonly token_url?: string;
  readonly client_id?: string;
  readonly folders?: string[];
  readonly attachments?: boolean;
  readonly tls?: 'verify' | 'unverified' | 'off';
  readonly ca?: string;
}

/** A mail user with connectors. */
export class Account extends MailAccount {
  readonly #open: Connector[] = [];
  readonly #kept = mkdtempSync(join(tmpdir(), 'trove-imap-'));

  config(config: Config = {}) {
    return { folders: [], attachments: true, password: this.server.password, ...config };
  }

  context(config: Config = {}, target = this.target) {
    return connectorContext({ config: this.config(config), target, cacheFolder: this.#kept });
  }

  connector(config: Config = {}, target = this.target): Connector {
    const created = plugin.create(this.context(config, target));
    if (created instanceof Promise) throw new Error('the connector was not created synchronously');
    this.#open.push(created);
    return created;
  }

  async remove(): Promise<void> {
    for (const connector of this.#open) await connector.close?.();
    await this.leave();
    rmSync(this.#kept, { recursive: true, force: true });
  }
}
