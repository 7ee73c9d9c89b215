import { TroveError } from '@trove/core';

import { fingerprintOf, type KnownKey } from './known-hosts.js';

/** Decides whether the key of a server is the expected one. */
export class HostKeyCheck {
  /** The reason for a refusal. */
  refusal: TroveError | null = null;
  readonly #host: string;
  readonly #configured: string | undefined;
  readonly #known: readonly KnownKey[];

  /** `configured`: a fingerprint or a line with a public key. It takes precedence. */
  constructor(host: string, configured: string | undefined, known: readonly KnownKey[]) {
    this.#host = host;
    this.#configured = configured;
    this.#known = known;
  }

  /** The types of known keys. A server with several keys presents the first of them that it has. */
  get types(): readonly string[] {
    const [type] = this.#configured?.split(' ', 1) ?? [];
    if (type !== undefined) return type.startsWith('SHA256:') ? [] : [type];
    return [...new Set(this.#known.map((known) => known.type))];
  }

  accepts(key: Buffer): boolean {
    this.refusal = this.#refusalOf(key);
    return this.refusal === null;
  }

  #refusalOf(key: Buffer): TroveError | null {
    const fingerprint = fingerprintOf(key);
    if (this.#configured !== undefined) {
      const isExpected = expectedFingerprint(this.#configured) === fingerprint;
      return isExpected ? null : this.#changed(fingerprint, '`host_key`');
    }
    const same = this.#known.filter((known) => known.key.equals(key));
    if (same.some(({ isRevoked }) => isRevoked))
      return this.#error('is revoked in known_hosts', 'Do not connect to this server.');
    if (same.length > 0) return null;
    if (this.#known.some(({ isRevoked }) => !isRevoked))
      return this.#changed(fingerprint, 'known_hosts');
    return this.#error(
      `is unknown. Its fingerprint is ${fingerprint}`,
      `Compare the fingerprint with the one of the server (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub). Then set host_key = "${fingerprint}".`,
    );
  }

  #changed(fingerprint: string, place: string): TroveError {
    return this.#error(
      `differs from ${place}. Its fingerprint is ${fingerprint}`,
      `Another machine may have answered. If the server has a new key, correct ${place}.`,
    );
  }

  #error(problem: string, suggestion: string): TroveError {
    return new TroveError('connector_unhealthy', `The key of ${this.#host} ${problem}.`, {
      suggestions: [suggestion],
    });
  }
}

function expectedFingerprint(configured: string): string {
  if (configured.startsWith('SHA256:')) return configured.replace(/=$/, '');
  const [, key = ''] = configured.split(/\s+/);
  return fingerprintOf(Buffer.from(key, 'base64'));
}
