import { Consent } from './consent.js';

export const folderType = 'application/vnd.google-apps.folder';
export const shortcutType = 'application/vnd.google-apps.shortcut';
export const documentType = 'application/vnd.google-apps.document';

/** Members that a file has when it is created. */
export interface NewFile {
  readonly name: string;
  /** Default: a plain text. */
  readonly mimeType?: string;
  /** The bytes of a file, or the text of an exported document. */
  readonly content?: string;
  /** Default: the root of My Drive. Null: shared with the user, so the parent is not visible. */
  readonly parent?: string | null;
  /** The shared drive. */
  readonly driveId?: string | null;
  /** The file that a shortcut leads to. */
  readonly targetId?: string | null;
  readonly canDownload?: boolean;
  /** How long listings and the change log do not show the file. Default 0. */
  readonly lateMs?: number;
}

export interface DriveFile extends Required<Omit<NewFile, 'lateMs'>> {
  readonly id: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly trashed: boolean;
  readonly visibleAt: number;
}

/** An entry of the change log. */
export interface LoggedChange {
  readonly fileId: string;
  readonly driveId: string | null;
  readonly at: number;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A Drive whose clock only tests advance. Every change happens at `now`. */
export class DriveWorld {
  readonly rootId = '0ARoot';
  readonly files = new Map<string, DriveFile>();
  readonly drives = new Map<string, string>();
  /** Access tokens that are valid. */
  readonly accessTokens = new Set<string>();
  /** Refresh tokens that are valid. */
  readonly refreshTokens = new Set(['refresh-1']);
  /** The public key of the service account, in PEM. Null: there is no service account. */
  serviceAccountKey: string | null = null;
  /** Whether each refresh replaces the refresh token. */
  rotates = false;
  readonly consent = new Consent();
  hasScope = true;
  limitStatus: 403 | 429 = 403;
  /** Change tokens below this one have expired. */
  oldestChange = 0;
  /** Exports with more bytes fail. */
  maxExportBytes = 10_000_000;
  now = startTime;
  readonly #changes: LoggedChange[] = [];
  #pending: (LoggedChange & { readonly visibleAt: number })[] = [];
  #lastId = 0;

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
    const due = this.#pending.filter(({ visibleAt }) => visibleAt <= this.now);
    this.#pending = this.#pending.filter(({ visibleAt }) => visibleAt > this.now);
    this.#changes.push(...due);
  }

  addDrive(name: string): string {
    const id = `0ADrive${++this.#lastId}`;
    this.drives.set(id, name);
    return id;
  }

  create({ lateMs = 0, ...file }: NewFile): DriveFile {
    const created: DriveFile = {
      mimeType: 'text/plain',
      content: '',
      parent: file.driveId ?? this.rootId,
      driveId: null,
      targetId: null,
      canDownload: true,
      ...file,
      id: `1file${String(++this.#lastId).padStart(6, '0')}`,
      createdAt: this.now,
      modifiedAt: this.now,
      trashed: false,
      visibleAt: this.now + lateMs,
    };
    this.files.set(created.id, created);
    const change = { fileId: created.id, driveId: created.driveId, at: this.now };
    if (lateMs === 0) this.#changes.push(change);
    else this.#pending.push({ ...change, visibleAt: created.visibleAt });
    return created;
  }

  createFolder(name: string, place: Pick<NewFile, 'driveId' | 'parent'> = {}): DriveFile {
    return this.create({ ...place, name, mimeType: folderType });
  }

  edit(id: string, changes: Partial<Pick<NewFile, 'content' | 'name'>>): void {
    this.#change(id, { ...changes, modifiedAt: this.now });
  }

  /** Moves a file or folder. Nothing below a folder changes, and neither does its time. */
  move(id: string, parent: string): void {
    this.#change(id, { parent });
  }

  /** Moves a file or folder to the trash. The change log names only the folder, not its entries. */
  trash(id: string): void {
    this.#change(id, { trashed: true });
  }

  /** Takes a file or folder out of the trash. The change log names only the folder, too. */
  restore(id: string): void {
    this.#change(id, { trashed: false });
  }

  /** Deletes a file for good, or withdraws the access to it. */
  remove(id: string): void {
    const { driveId } = this.file(id);
    this.files.delete(id);
    this.#changes.push({ fileId: id, driveId, at: this.now });
  }

  /** Ends all access tokens. */
  expireAccess(): void {
    this.accessTokens.clear();
  }

  /** Expires all change tokens so far. */
  expireChanges(): void {
    this.#changes.push({ fileId: 'none', driveId: null, at: this.now });
    this.oldestChange = this.#changes.length;
  }

  get changeCount(): number {
    return this.#changes.length;
  }

  /** The last change of each file since a token, with the token after it. */
  changesSince(
    token: number,
    driveId: string | null,
  ): readonly (readonly [number, LoggedChange])[] {
    const found = new Map<string, readonly [number, LoggedChange]>();
    for (const [index, change] of this.#changes.entries()) {
      if (index < token || change.driveId !== driveId || change.fileId === 'none') continue;
      found.delete(change.fileId);
      found.set(change.fileId, [index + 1, change]);
    }
    return [...found.values()];
  }

  file(id: string): DriveFile {
    const file = this.files.get(id);
    if (file === undefined) throw new Error(`There is no file ${id}.`);
    return file;
  }

  /** Whether a file or a folder above it is in the trash. */
  isTrashed(file: DriveFile): boolean {
    if (file.trashed) return true;
    const parent = file.parent === null ? undefined : this.files.get(file.parent);
    return parent !== undefined && this.isTrashed(parent);
  }

  /** Issues an access token. */
  issueAccess(): string {
    const token = `access-${++this.#lastId}`;
    this.accessTokens.add(token);
    return token;
  }

  issueRefresh(): string {
    const token = `1//0g-issued-${++this.#lastId}`;
    this.refreshTokens.add(token);
    return token;
  }

  /** Replaces a refresh token. */
  rotate(token: string): string {
    const next = `rotated-${++this.#lastId}`;
    this.refreshTokens.delete(token);
    this.refreshTokens.add(next);
    return next;
  }

  #change(id: string, changes: Partial<DriveFile>): void {
    const file = { ...this.file(id), ...changes };
    this.files.set(id, file);
    this.#changes.push({ fileId: id, driveId: file.driveId, at: this.now });
  }
}
