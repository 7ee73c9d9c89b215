import { TroveError, type Credentials } from '@trove/core';

/** The parts of a URL such as `postgresql://reader:secret@db.example.org:5432/shop?sslmode=require`. */
export interface ServerUrl {
  /** One of the allowed schemes. */
  readonly scheme: string;
  /** Empty if the URL has no user. */
  readonly user: string;
  /** Empty if the URL has no password. */
  readonly password: string;
  /** Unparsed, with commas between several hosts. */
  readonly hosts: string;
  /** Empty if the URL has no database. */
  readonly database: string;
  /** The query parameters, with names in lower case. */
  readonly options: ReadonlyMap<string, string>;
}

export interface ServerUrlFormat {
  /** The setting that holds the URL. Messages name it and never quote the URL, which may hold a password. */
  readonly key: string;
  /** A scheme may carry a driver name (`mysql+pymysql`), which is ignored. */
  readonly schemes: readonly string[];
  /** A valid target, for messages. */
  readonly example: string;
}

const pattern =
  /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i;

/** Parses the URL of a server, as in `DATABASE_URL`. Throws `config_invalid`. */
export function parseServerUrl(
  text: string,
  { key, schemes, example }: ServerUrlFormat,
): ServerUrl {
  const [, prefix = '', login = '', hosts = '', database = '', query = ''] =
    pattern.exec(text.trim()) ?? [];
  const lowerPrefix = prefix.toLowerCase();
  const scheme = schemes.find((each) => lowerPrefix === each || lowerPrefix.startsWith(`${each}+`));
  if (scheme === undefined) {
    throw new TroveError('config_invalid', `config.${key}: must be an address such as ${example}`, {
      suggestions: [
        'In a password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23.',
      ],
    });
  }
  const [user = '', ...password] = login.split(':');
  const options = [...new URLSearchParams(query)];
  return {
    scheme,
    user: decode(user),
    password: decode(password.join(':')),
    hosts,
    database: decode(database),
    options: new Map(options.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

/**
 * Returns the current password: `password`, else the one in the configured URL, else ''. Follows references again on each
 * call.
 */
export async function readPassword(
  credentials: Pick<Credentials, 'get'>,
  url: string | undefined,
  format: ServerUrlFormat,
): Promise<string> {
  const password = await credentials.get('password');
  if (password !== undefined) return password;
  const current = (await credentials.get(format.key)) ?? url;
  return current === undefined ? '' : parseServerUrl(current, format).password;
}

/** Keeps text with invalid escapes as written. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
