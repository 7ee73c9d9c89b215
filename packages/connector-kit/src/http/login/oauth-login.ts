import { parseUri, TroveError, type LoginContext, type OAuthLogin } from '@trove/core';

import type { HttpDescription, LoginDescription, OAuth2 } from '../description/index.js';
import { rootScope } from '../scope.js';
import { renderOptional, renderText } from '../template.js';
import { settingsOf, withSecrets } from './secrets.js';

type RefreshLogin = Extract<OAuth2, { grant: 'refresh' }> &
  Required<Pick<Extract<OAuth2, { grant: 'refresh' }>, 'login'>>;

/** Returns the connector's `login`, if its description has a login for people. */
export function loginMethod(auth: HttpDescription['auth']): {
  readonly login?: (context: LoginContext) => Promise<OAuthLogin>;
} {
  const oauth2 = findLogin(auth === undefined ? [] : [auth].flat());
  return oauth2 === null ? {} : { login: (context) => loginOf(oauth2, context) };
}

/** Returns the command that logs in to a source, or null if its connector has no login for people. */
export function loginCommand(auth: readonly LoginDescription[], target: string): string | null {
  if (findLogin(auth) === null) return null;
  return `trove-server connector login ${parseUri(target).scheme} ${target}`;
}

function findLogin(auth: readonly LoginDescription[]): RefreshLogin | null {
  for (const each of auth) {
    if (typeof each === 'function' || each === 'none' || !('oauth2' in each)) continue;
    const { oauth2 } = each;
    if (oauth2.grant !== 'refresh' || oauth2.login === undefined) continue;
    return { ...oauth2, login: oauth2.login };
  }
  return null;
}

async function loginOf(
  oauth2: RefreshLogin,
  { config, target, credentials }: LoginContext,
): Promise<OAuthLogin> {
  const { client, login, refreshToken, tokenUrl } = oauth2;
  const scope = await withSecrets(oauth2, rootScope(config, target), credentials);
  if (scope === null) {
    const secrets = settingsOf({ oauth2 }).filter((name) => name !== refreshToken);
    throw missingClient([...namesIn(client.id), ...secrets]);
  }
  const id = renderOptional(client.id, scope);
  if (id === undefined) throw missingClient(namesIn(client.id));
  const secret = client.secret === undefined ? undefined : renderOptional(client.secret, scope);
  const deviceUrl =
    login.deviceUrl === undefined ? undefined : renderOptional(login.deviceUrl, scope);
  return {
    setting: refreshToken,
    tokenUrl: renderText(tokenUrl, scope),
    ...(login.authorizeUrl === undefined
      ? {}
      : { authorizeUrl: renderText(login.authorizeUrl, scope) }),
    ...(deviceUrl === undefined ? {} : { deviceUrl }),
    client: {
      id,
      ...(secret === undefined ? {} : { secret }),
      ...(client.send === undefined ? {} : { send: client.send }),
    },
    scopes: login.scopes,
    params: Object.fromEntries(
      Object.entries(login.params ?? {}).flatMap(([name, text]) => {
        const value = renderOptional(text, scope);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(login.help === undefined ? {} : { help: login.help }),
  };
}

function missingClient(names: readonly string[]): TroveError {
  const listed = names.map((name) => `\`${name}\``).join(' and ');
  return new TroveError('config_invalid', `config: set ${listed}. A login needs an OAuth client.`);
}

/** Returns the settings in the placeholders of a text. */
function namesIn(text: Parameters<typeof renderText>[0]): readonly string[] {
  return typeof text === 'string'
    ? [...text.matchAll(/\{\+?config\.([\w-]+)\}/g)].map(([, name = '']) => name)
    : [];
}
