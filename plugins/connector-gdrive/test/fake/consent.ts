import { createHash, randomUUID } from 'node:crypto';

export const readScope = 'https://www.googleapis.com/auth/drive.readonly';

/** What a user does with a request for access. */
export type Decision = 'pending' | 'allow' | 'deny';

export interface DeviceGrant {
  readonly userCode: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  decision: Decision;
}

interface CodeGrant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
}

/** The OAuth client of the project, and the users who log in with it. */
export class Consent {
  /** The type of the client. Each type has its own flow. */
  clientType: 'desktop' | 'tv' | 'web' = 'desktop';
  /** The scopes of the device flow. Google does not allow reading a whole drive. */
  readonly deviceScopes = new Set(['https://www.googleapis.com/auth/drive.file']);
  /** What the next user does on the page. */
  decision: 'allow' | 'deny' = 'allow';
  /** The scopes that users can leave out. */
  readonly declined = new Set<string>();
  intervalSeconds = 0.02;
  codeSeconds = 1800;
  /** How many polls are answered with `slow_down` first. */
  slowDowns = 0;
  readonly devices = new Map<string, DeviceGrant>();
  readonly #codes = new Map<string, CodeGrant>();

  issueDeviceCode(scopes: readonly string[]): readonly [string, DeviceGrant] {
    const code = `AH-1Ng${randomUUID()}`;
    const expiresAt = performance.now() + this.codeSeconds * 1000;
    const userCode = `GQVQ-${randomUUID().slice(0, 4).toUpperCase()}`;
    const grant: DeviceGrant = { userCode, scopes, expiresAt, decision: 'pending' };
    this.devices.set(code, grant);
    return [code, grant];
  }

  /** A user enters a code on Google's page. */
  decide(userCode: string, decision: Decision): void {
    for (const grant of this.devices.values())
      if (grant.userCode === userCode) grant.decision = decision;
  }

  issueCode(grant: CodeGrant): string {
    const code = `4/0A${randomUUID()}`;
    this.#codes.set(code, grant);
    return code;
  }

  /** Returns the granted scopes, or the reason of a refusal. A code can be used once. */
  useCode(
    code: string,
    redirectUri: string,
    verifier: string,
  ): readonly string[] | 'redirect' | 'verifier' | 'code' {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (grant === undefined) return 'code';
    if (grant.redirectUri !== redirectUri) return 'redirect';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return grant.challenge === challenge ? this.granted(grant.scopes) : 'verifier';
  }

  granted(scopes: readonly string[]): readonly string[] {
    return scopes.filter((scope) => !this.declined.has(scope));
  }
}
