import type { ProposedPaging } from '../inspection/paging.js';
import type { ProposedIncremental } from '../inspection/since.js';
import type { ConfigTable } from '../tables.js';
import type { AskedLogin } from './login.js';

/** The accepted parts of a description of one list. */
export interface AcceptedParts {
  readonly url: URL;
  readonly login: AskedLogin | null;
  /** The path of the list. */
  readonly items: string;
  readonly key: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly page: ProposedPaging;
  readonly incremental: ProposedIncremental;
  /** Parameters of the address that the paging or the incremental request sends. */
  readonly sent: readonly string[];
}

/** Names that placeholders have. A stream must not have one of them. */
const reservedNames: ReadonlySet<string> = new Set(
  'config target secret item since until key thread identity token pattern'.split(' '),
);

/** Returns the configuration of a source with one list. */
export function describeList(parts: AcceptedParts): ConfigTable {
  const { url, login, items, key, record, page, incremental, sent } = parts;
  const request = { get: url.pathname, ...queryOf(url, sent) };
  const name = nameOf(url);
  return {
    base: url.origin,
    ...(login === null ? {} : { auth: login.auth, secrets: login.secrets }),
    check: request,
    streams: {
      [name]: {
        ...request,
        ...(page === 'none' ? {} : { page }),
        ...(items === '.' ? {} : { items }),
        in: name,
        key,
        record,
        ...(incremental === null ? {} : { incremental }),
      },
    },
  };
}

function queryOf({ searchParams }: URL, sent: readonly string[]): ConfigTable {
  const names = [...new Set(searchParams.keys())].filter((name) => !sent.includes(name));
  if (names.length === 0) return {};
  const values = names.map((name): [string, unknown] => {
    const [first, ...others] = searchParams.getAll(name);
    return [name, others.length === 0 ? first : [first, ...others]];
  });
  return { query: Object.fromEntries(values) };
}

/** Returns the last step of the path as the name of the stream and of its object. */
function nameOf({ pathname }: URL): string {
  const [last = ''] = pathname
    .split('/')
    .filter((step) => step !== '')
    .slice(-1);
  const name = last.replace(/\.json$/i, '').replace(/[^A-Za-z0-9_-]+/g, '_');
  if (name === '' || reservedNames.has(name)) return `${name}${name === '' ? '' : '_'}items`;
  return /^[A-Za-z_]/.test(name) ? name : `list_${name}`;
}
