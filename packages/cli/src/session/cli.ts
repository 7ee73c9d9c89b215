import { TroveClient } from '@trove/client';
import type { Arguments } from '@trove/commands';

import { readUploadedFolders, type UploadedFolder } from '../paths/uploaded-folders.js';
import type { Confirm } from '../terminal/confirmation.js';
import type { OutputSinks, Sink } from '../terminal/output.js';
import type { GlobalName } from './globals.js';
import {
  chooseEndpoint,
  defaultEndpoint,
  isLoopback,
  isSameEndpoint,
  parseEndpoint,
} from './endpoint.js';
import { withHangNotice } from './hang-notice.js';
import { troveHome } from './home.js';
import { readProfile } from './profile.js';
import { chooseToken, type BearerToken, variableOf } from './token.js';

/** The process environment of a command. */
export interface CliContext extends OutputSinks {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Null without a terminal. */
  readonly confirm: Confirm | null;
}

/** The context of every command. */
export interface Cli extends CliContext {
  readonly client: TroveClient;
  readonly endpoint: string;
  /** Where the endpoint is configured. */
  readonly endpointSource: string;
  /** The active profile. */
  readonly profile: string | undefined;
  /** True if the server runs on this machine and reads its files. */
  readonly local: boolean;
  readonly token: BearerToken | undefined;
  /** The unset variable that the profile names as its token. */
  readonly unsetVariable: string | undefined;
  /** The server of the profile, if it has a token that is not for this endpoint. */
  readonly otherTokenServer: string | undefined;
  /** Uploaded folders of this machine. */
  readonly uploadedFolders: readonly UploadedFolder[];
  readonly home: string;
  /** Print JSON instead of text. */
  readonly json: boolean;
  printJson(value: unknown): Promise<void>;
}

/** Creates the context from settings and options. Throws for an unknown profile or an invalid endpoint. */
export function createCli(context: CliContext, args: Arguments<GlobalName>): Cli {
  const { env, out } = context;
  const home = troveHome(env);
  const profile = readProfile(home, args.text('profile'));
  const chosen = chooseEndpoint(args.text('endpoint'), env, profile?.endpoint);
  const endpoint = chosen.value;
  const local = isLoopback(endpoint);
  const server = parseEndpoint(profile?.endpoint ?? defaultEndpoint);
  const isProfileServer = isSameEndpoint(endpoint, server);
  const profileToken = isProfileServer ? profile?.token : undefined;
  const token = chooseToken({ env, profile: profileToken, home, loopback: local });
  return {
    ...context,
    client: new TroveClient({
      baseUrl: endpoint,
      token: token?.value,
      fetch: withHangNotice(context.err, endpoint),
    }),
    endpoint,
    endpointSource: chosen.source,
    profile: profile?.name,
    local,
    token,
    unsetVariable: token === undefined ? variableOf(profileToken) : undefined,
    otherTokenServer: isProfileServer || profile?.token === undefined ? undefined : server,
    uploadedFolders: readUploadedFolders(home, endpoint),
    home,
    json: args.flag('json'),
    printJson: (value) => printJson(out, value),
  };
}

async function printJson(out: Sink, value: unknown): Promise<void> {
  await out.line(out.safe(JSON.stringify(value, null, 2)));
}
