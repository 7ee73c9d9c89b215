import { TroveError, type Credentials } from '@trove/core';

/** What an address such as `postgresql://reader:secret@db.example.org:5432/shop?sslmode=require` says. */
export interface AddressParts {
  /** The one of the allowed schemes that it begins with. */
  readonly scheme: string;
  /** '' for nobody. */
  readonly user: string;
  /** '' for none. */
  readonly password: string;
  /** As written: there may be several, with commas between them. */
  readonly hosts: string;
  /** '' for none. */
  readonly database: string;
  /** What follows `?`, by name in lower case. */
  readonly options: ReadonlyMap<string, string>;
}

/** How the address of a server is written. */
export interface AddressForm {
  /** The setting that has it, for messages; these never have its text. */
  readonly key: string;
  /** What it may begin with. A driver after it (`mysql+pymysql`) is overlooked. */
  readonly schemes: readonly string[];
  /** A target as it should be. */
  readonly example: string;
}

const pattern =
  /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i;

/** Reads the address of a server, as programs keep it in `DATABASE_URL`. Throws `config_invalid`. */
export function partsOfAddress(text: string, { key, schemes, example }: AddressForm): AddressParts {
  const [, written = '', login = '', hosts = '', database = '', query = ''] =
    pattern.exec(text.trim()) ?? [];
  const given = written.toLowerCase();
  const scheme = schemes.find((each) => given === each || given.startsWith(`${each}+`));
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
    user: decoded(user),
    password: decoded(password.join(':')),
    hosts,
    database: decoded(database),
    options: new Map(options.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

/** The password of a server's user as it is now: `password`, or that in the address in the configuration; '' for none. */
export async function currentPassword(
  credentials: Pick<Credentials, 'get'>,
  address: string | undefined,
  form: AddressForm,
): Promise<string> {
  const password = await credentials.get('password');
  if (password !== undefined) return password;
  const current = (await credentials.get(form.key)) ?? address;
  return current === undefined ? '' : partsOfAddress(current, form).password;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
