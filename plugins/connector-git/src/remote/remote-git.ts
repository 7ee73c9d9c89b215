import type { ConnectorContext, Infer } from '@trove/core';

import { Git, type GitCallOptions } from '../git.js';
import { parseRemoteAddress, type RemoteAddress } from './address.js';
import type { remoteConfigSchema } from './config.js';
import { remoteFailureOf } from './failures.js';

export type RemoteContext = ConnectorContext<Infer<typeof remoteConfigSchema>>;

/** Less than this, in bytes a second, for so many seconds, and the host is given up. */
const minSpeed = { bytes: '100', seconds: '60' } as const;

/** A fetch prints nothing until it ends. */
const maxSilenceMs = 3_700_000;

export interface RemoteRef {
  readonly id: string;
  readonly name: string;
}

/** Runs git on a repository of another host, which may not lead it anywhere else. */
export class RemoteGit {
  readonly address: RemoteAddress;
  readonly #git: Git;
  readonly #context: RemoteContext;

  constructor(context: RemoteContext) {
    const { target, config, error } = context;
    this.address = parseRemoteAddress(target);
    this.#context = context;
    const isAnonymous = config.password === undefined;
    this.#git = new Git(error, {
      failureOf: (said) =>
        remoteFailureOf(said, { host: this.address.host, ref: config.ref, isAnonymous }),
      maxSilenceMs,
    });
  }

  /** All that git prints. `home`: a folder in which nothing tells git anything. */
  async text(args: readonly string[], home: string, options: GitCallOptions): Promise<string> {
    return this.#git.text(args, {
      ...options,
      environment: this.#environment(home, await this.#login()),
    });
  }

  /** What is sent as `Authorization`, as it is now; null for nothing. */
  async #login(): Promise<string | null> {
    const { credentials, config } = this.#context;
    const password = await credentials.get('password');
    if (password === undefined) return null;
    const username = (await credentials.get('username')) ?? config.username ?? 'git';
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  /** What its refs are at, all of them or those named. */
  async refs(home: string, signal: AbortSignal, ...names: readonly string[]): Promise<RemoteRef[]> {
    const { url } = this.address;
    const args = ['ls-remote', '--quiet', '--', url, ...names];
    return parseRefs(await this.text(args, home, { signal }));
  }

  /** Whether it has no commits at all. Throws `connector_unhealthy` when that is a page that git takes for an empty list. */
  async isEmpty(home: string, signal: AbortSignal): Promise<boolean> {
    if ((await this.refs(home, signal)).length > 0) return false;
    const { http, error } = this.#context;
    const { url, host } = this.address;
    const login = await this.#login();
    const { headers, body } = await http(`${url}/info/refs?service=git-upload-pack`, {
      headers: login === null ? {} : { authorization: login },
      redirect: 'manual',
      signal,
    });
    await body?.cancel();
    if (headers.get('content-type') === 'application/x-git-upload-pack-advertisement') return true;
    throw error('connector_unhealthy', `${host} does not answer as a git server does.`, {
      suggestions: ['Correct the target: it is what follows `git clone`.'],
    });
  }

  /** Nothing of the user's own has a say: no helper, no file of passwords, no other address for this one. */
  #environment(home: string, login: string | null): NodeJS.ProcessEnv {
    const settings: [string, string][] = [
      ['http.followRedirects', 'false'],
      ['http.lowSpeedLimit', minSpeed.bytes],
      ['http.lowSpeedTime', minSpeed.seconds],
      ['http.userAgent', `Trove (connector git+${this.address.protocol})`],
      ['credential.helper', ''],
      ['fetch.recurseSubmodules', 'false'],
      // Always one file, whose growth is seen.
      ['fetch.unpackLimit', '1'],
      ['transfer.bundleURI', 'false'],
    ];
    if (login !== null)
      settings.push([`http.${this.address.url}.extraHeader`, `Authorization: ${login}`]);
    const numbered = settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    return {
      ...Object.fromEntries(numbered),
      GIT_CONFIG_COUNT: String(settings.length),
      GIT_ALLOW_PROTOCOL: this.address.protocol,
      HOME: home,
      XDG_CONFIG_HOME: home,
    };
  }
}

/** What `git ls-remote` prints; tags also as what they point at, with `^{}`. */
function parseRefs(printed: string): RemoteRef[] {
  return Array.from(printed.matchAll(/^([0-9a-f]+)\t(.+)$/gm), ([, id = '', name = '']) => ({
    id,
    name,
  })).filter(({ name }) => !name.endsWith('^{}'));
}
