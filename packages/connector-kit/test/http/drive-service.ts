import type { FakeAnswer, FakeRequest, ServiceModel } from '../../src/http/fake/index.js';

export interface DriveFile {
  readonly id: string;
  name: string;
  parent: string;
  type: string;
  modified: number;
  content: string;
}

const folderType = 'folder';

/** The imaginary drive: files in folders by the ids of their parents, and a feed of changes. */
export class Drive implements ServiceModel {
  readonly files = new Map<string, DriveFile>();
  readonly #log: string[] = [];
  /** Older tokens have expired. */
  oldestToken = 0;

  put(id: string, file: Partial<DriveFile>): void {
    const known = this.files.get(id);
    const fresh = { id, name: id, parent: 'top', type: 'text/plain', modified: 1e12, content: '' };
    this.files.set(id, { ...fresh, ...known, ...file });
    this.#log.push(id);
  }

  putFolder(id: string, name: string, parent = 'top'): void {
    this.put(id, { name, parent, type: folderType });
  }

  remove(id: string): void {
    this.files.delete(id);
    this.#log.push(id);
  }

  answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const [, first, id = '', part] = path.split('/');
    if (first === 'me' || path === '/files/top') return { json: { id: 'top' } };
    if (path === '/changes/start') return { json: { token: String(this.#log.length) } };
    if (path === '/changes') return this.#changes(Number(query.get('token')));
    if (first === 'files' && id === '') return { json: this.#list(query) };
    const file = this.files.get(id);
    if (file === undefined) return { status: 404, json: { error: { message: 'no such file' } } };
    if (part === 'export')
      return { body: `# ${file.content}`, headers: { 'content-type': 'text/markdown' } };
    const [, from] = /^bytes=(\d+)-/.exec(headers['range'] ?? '') ?? [];
    if (part !== 'content') return { json: file };
    if (from === undefined)
      return { body: file.content, headers: { 'content-type': 'text/plain' } };
    return {
      status: 206,
      body: file.content.slice(Number(from)),
      headers: {
        'content-range': `bytes ${from}-${file.content.length - 1}/${file.content.length}`,
      },
    };
  }

  rateLimited(_request: FakeRequest, retryAfterMs: number): FakeAnswer {
    return { status: 403, headers: { 'retry-after': String(retryAfterMs / 1000) }, json: {} };
  }

  unauthorized(): FakeAnswer {
    return { status: 401, json: {} };
  }

  #list(query: URLSearchParams): unknown {
    const isFolder = query.get('kind') === folderType;
    const chosen = [...this.files.values()].filter(
      ({ type }) => (type === folderType) === isFolder,
    );
    const start = Number(query.get('page') ?? 0);
    const next = start + 2 < chosen.length ? { next: String(start + 2) } : {};
    return { files: chosen.slice(start, start + 2), ...next };
  }

  #changes(token: number): FakeAnswer {
    if (token < this.oldestToken)
      return { status: 410, json: { error: { message: 'token too old' } } };
    const ids = this.#log.slice(token, token + 2);
    const changes = ids.map((id) => {
      const file = this.files.get(id);
      return { id, removed: file === undefined, folder: file?.type === folderType, file };
    });
    const next = token + ids.length;
    const isLast = next >= this.#log.length;
    return { json: { changes, ...(isLast ? { token: String(next) } : { next: String(next) }) } };
  }
}
