import { FakeDrive } from './drive-world.js';
import { MailWorld } from './mail-world.js';

export const host = 'contoso.sharepoint.com';

export interface FakeSite {
  readonly id: string;
  /** `sites/Team`, or '' for the root site. */
  readonly path: string;
  readonly displayName: string;
  /** The status with which requests for the site fail. */
  failure: number | null;
  /** Whether the search of sites finds it. */
  isFound: boolean;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A Microsoft 365 organization whose clock only tests advance. */
export class GraphWorld {
  now = startTime;
  readonly sites = new Map<string, FakeSite>();
  readonly drives = new Map<string, FakeDrive>();
  /** Access tokens that are valid. */
  readonly accessTokens = new Set(['token-1']);
  readonly refreshTokens = new Set(['refresh-1']);
  /** Device codes and what their users did. */
  readonly deviceCodes = new Map<string, 'pending' | 'allowed' | 'denied'>();
  /** Codes of the page with their challenges and addresses. A code can be used once. */
  readonly pageCodes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  /** What the token may read. */
  readonly permissions = new Set(['Files.Read.All', 'Sites.Read.All', 'Mail.Read']);
  /** The drive and the mail of the user. */
  readonly own: FakeDrive;
  readonly mail: MailWorld;
  #lastId = 0;

  constructor() {
    this.own = this.addDrive('OneDrive', null);
    this.mail = new MailWorld(this);
  }

  advance(ms: number): void {
    this.now += ms;
  }

  addSite(path: string, displayName: string): FakeSite {
    const id = `${host},site-${++this.#lastId},web-${String(this.#lastId).padStart(6, '0')}`;
    const site: FakeSite = { id, path, displayName, failure: null, isFound: true };
    this.sites.set(id, site);
    return site;
  }

  addDrive(name: string, site: FakeSite | null): FakeDrive {
    const id = `b!drive${String(++this.#lastId).padStart(4, '0')}`;
    const drive = new FakeDrive({ id, name, siteId: site?.id ?? null }, this);
    this.drives.set(id, drive);
    return drive;
  }

  siteAt(path: string): FakeSite | undefined {
    return [...this.sites.values()].find((site) => site.path === path);
  }

  removeSite({ id }: FakeSite): void {
    this.sites.delete(id);
    for (const drive of this.drives.values()) if (drive.siteId === id) this.drives.delete(drive.id);
  }

  issueAccess(): string {
    const token = `access-${++this.#lastId}`;
    this.accessTokens.add(token);
    return token;
  }

  /** Replaces a refresh token. The former one works a while longer, as at Microsoft. */
  issueRefresh(): string {
    const token = `0.refresh-${++this.#lastId}`;
    this.refreshTokens.add(token);
    return token;
  }

  /** Ends all access tokens. */
  expireAccess(): void {
    this.accessTokens.clear();
  }
}
