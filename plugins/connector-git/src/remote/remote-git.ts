import type { ConnectorContext, Infer } from '@trove/core';

import { Git, type GitCallOptions } from '../git.js';
import { parseRemoteAddress, type RemoteAddress } from './address.js';
import type { remoteConfigSchema } from './config.js';
import { remoteFailureOf } from './failures.js';

export type RemoteContext = ConnectorContext<Infer<typeof remoteConfigSchema>>;

/** A host that sends fewer bytes per second for this many seconds counts as down. */
const minSpeed = { bytes: '100', seconds: '60' } as const;

/** A fetch prints nothing until it ends. */
const maxSilenceMs = 3_700_000;

export interface RemoteRef {
  readonly id: string;
  readonly name: string;
}

/** Runs git on a remote repository. The host cannot redirect git to another address. */
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
      failureOf: (stderr) =>
        remoteFailureOf(stderr, { host: this.address.host, ref: config.ref, isAnonymous }),
      maxSilenceMs,
    });
  }

  /** Returns the output of git. `home` is a folder without git settings. */
  async text(args: readonly string[], home: string, options: GitCallOptions): Promise<string> {
    return this.#git.text(args, {
      ...options,
      environment: this.#environment(home, await this.#login()),
    });
  }

  /** Returns the current value of the header `Authorization`; null without a password. */
  async #login(): Promise<string | null> {
    const { credentials, config } = this.#context;
    const password = await credentials.get('password');
    if (password === undefined) return null;
    const username = (await credentials.get('username')) ?? config.username ?? 'git';
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  /** Returns the refs with the given names, or all refs. */
  async refs(home: string, signal: AbortSignal, ...names: readonly string[]): Promise<RemoteRef[]> {
    const { url } = this.address;
    const args = ['ls-remote', '--quiet', '--', url, ...names];
    return parseRefs(await this.text(args, home, { signal }));
  }

  /** Returns whether the repository has no commits. Throws `connector_unhealthy` for a page that git reads as an empty list. */
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
    throw error('connector_unhealthy', `${host} does not answer like a git server.`, {
      suggestions: ['Correct the target. It is the address that `git clone` takes.'],
    });
  }

  /** Overrides the settings of the user: credential helpers, password files and replaced addresses. */
  #environment(home: string, login: string | null): NodeJS.ProcessEnv {
    const settings: [string, string][] = [
      ['http.followRedirects', 'false'],
      ['http.lowSpeedLimit', minSpeed.bytes],
      ['http.lowSpeedTime', minSpeed.seconds],
      ['http.userAgent', `Trove (connector git+${this.address.protocol})`],
      ['credential.helper', ''],
      ['fetch.recurseSubmodules', 'false'],
      // Objects arrive in one pack file, so the size limit sees its growth.
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

/** Parses the output of `git ls-remote`. Leaves out peeled tags (`^{}`). */
function parseRefs(printed: string): RemoteRef[] {
  return Array.from(printed.matchAll(/^([0-9a-f]+)\t(.+)$/gm), ([, id = '', name = '']) => ({
    id,
    name,
  })).filter(({ name }) => !name.endsWith('^{}'));
}
