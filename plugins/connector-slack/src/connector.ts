import { defineHttpConnector } from '@trove/connector-kit/http';
import {
  isCheckpoint,
  isTroveError,
  TroveError,
  type Change,
  type Checkpoint,
  type Connector,
  type ConnectorContext,
  type Content,
} from '@trove/core';

import { configSchema, type SlackSettings } from './config.js';
import { describe, windowMs, type Tools } from './description.js';
import { membersOf } from './forms.js';
import { ThreadLedger, type VanishedThread } from './thread-ledger.js';

/** A checkpoint has at most 100,000 characters. */
const maxCheckpointChars = 95_000;

/** Creates the connector of a workspace. Adds what the described requests cannot find: threads that have vanished. */
export async function createSlackConnector(
  context: ConnectorContext<SlackSettings>,
): Promise<Connector> {
  const ledger = new ThreadLedger();
  let fileToken = '';
  const described = await openDescribed(context, { ledger, fileToken: () => fileToken });
  const { changes, read } = described;
  return {
    ...described,

    async *changes(request) {
      const { cursor, resume, warn = () => undefined, ...others } = request;
      const position = readPosition(resume);
      ledger.begin(await context.state.get(), {
        isFirst: cursor === undefined,
        found: position?.found,
        warn,
      });
      const inner = { ...others, cursor, warn };
      for await (const change of changes(
        position === null ? inner : { ...inner, resume: position.resume },
      )) {
        yield* ledger.takeVanished().map(toChange);
        if (!isCheckpoint(change)) yield change;
        else yield withFound(change, ledger);
      }
      yield* ledger.takeVanished().map(toChange);
      context.state.set(ledger.state(Date.now() - windowMs(context.config)));
    },

    async explain(request) {
      // The ledger of a running sync must not change.
      const own = new ThreadLedger();
      const isFirst = request.cursor === undefined;
      own.begin(undefined, { isFirst, found: undefined, warn: () => undefined });
      const explained = await openDescribed(context, { ledger: own, fileToken: () => '' });
      try {
        return await explained.explain(request);
      } finally {
        await explained.close();
      }
    },

    async read(path, options) {
      fileToken = (await context.credentials.get('token')) ?? '';
      const content = await read(path, options).catch((error: unknown) => {
        const isLogin = isTroveError(error) && error.pluginCode === 'slack.login_page';
        throw isLogin ? refusal(path) : error;
      });
      if (isLoginPage(path, content)) {
        if (content.bytes instanceof ReadableStream) await content.bytes.cancel();
        throw refusal(path);
      }
      return content;
    },
  };
}

type Described = Connector & Required<Pick<Connector, 'changes' | 'close' | 'explain' | 'read'>>;

async function openDescribed(
  context: ConnectorContext<SlackSettings>,
  tools: Tools,
): Promise<Described> {
  const description = describe(context.config, tools);
  const plugin = defineHttpConnector({ keys: ['slack'], configSchema, ...description });
  const connector = await plugin.create(context);
  const { changes, close, explain, read } = connector;
  if (!changes || !close || !explain || !read)
    throw new TroveError('plugin_invalid', 'The description of Slack lists no changes or files');
  return { ...connector, changes, close, explain, read };
}

/** Where an interrupted call continues: the checkpoint of the listings, and what the ledger had found. */
interface Position {
  readonly resume: unknown;
  readonly found: unknown;
}

function readPosition(resume: unknown): Position | null {
  if (resume === undefined) return null;
  const { resume: inner, found = {} } = membersOf<Position>(resume);
  return { resume: inner, found };
}

function withFound({ checkpoint }: Checkpoint, ledger: ThreadLedger): Checkpoint {
  const chars = JSON.stringify(checkpoint).length;
  const position: Position = {
    resume: checkpoint,
    found: ledger.found(maxCheckpointChars - chars),
  };
  return { checkpoint: position };
}

function toChange({ path, ts }: VanishedThread): Change {
  return { path, records: [], removedKeys: [{ ts }], complete: { thread: ts } };
}

/** Instead of a refusal, the host of files answers with the web page of the login. */
function isLoginPage(path: string, { mediaType }: Content): boolean {
  return mediaType?.startsWith('text/html') === true && !/\.x?html?$/i.test(path);
}

function refusal(path: string): TroveError {
  return new TroveError('connector_unhealthy', `Slack did not return the file ${path}`, {
    pluginCode: 'slack.missing_scope',
    suggestions: ['Give the token the scope files:read, and check that it may see the file.'],
  });
}
