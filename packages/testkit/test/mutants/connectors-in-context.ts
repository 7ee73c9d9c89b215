import type { ConnectorContext, ConnectorPlugin, ListRequest } from '@trove/core';

import type { Mutation } from './connector-world.js';

/** For each case about watching, state and credentials, a connector that fails only this case. */
export const contextMutants: Readonly<Record<string, Mutation>> = {
  'watch-reports-start': {
    connector: (good) => ({
      async *watch(options) {
        for await (const path of good.watch?.(options) ?? []) yield path === '' ? 'a.md' : path;
      },
    }),
  },
  'watch-reports-changes': {
    connector: (good) => ({
      async *watch(options) {
        for await (const path of good.watch?.(options) ?? []) {
          yield path === '' ? '' : `not ${path}`;
          if (path !== '') return;
        }
      },
    }),
  },
  'watch-ends': {
    connector: (good) => ({
      async *watch(options) {
        try {
          yield* good.watch?.(options) ?? [];
        } catch {
          for (;;) yield '';
        }
      },
    }),
  },
  'state-can-be-stored': inContext(async ({ plugin, context }) => {
    const good = await plugin.create(context);
    const list = (request: ListRequest) => {
      context.state.set(new Date(0));
      return good.list(request);
    };
    return { ...good, list };
  }),
  'state-changes-no-listing': inContext(async ({ plugin, context }) => {
    const good = await plugin.create(context);
    const isKnown = (await context.state.get()) !== undefined;
    return {
      ...good,
      async *list(request) {
        if (!isKnown) yield* good.list(request);
        context.state.set('all is listed');
      },
    };
  }),
  'follows-its-credentials': inContext(async ({ plugin, context }) => {
    const token = await context.credentials.get('token');
    const { credentials } = context;
    return plugin.create({
      ...context,
      credentials: {
        login: credentials.login,
        get: async (name) => (name === 'token' ? token : credentials.get(name)),
        refresh: (name, renew) => credentials.refresh(name, renew),
      },
    });
  }),
  'keeps-renewed-tokens': inContext(async ({ plugin, context }) => {
    const { credentials } = context;
    let own: string | undefined;
    return plugin.create({
      ...context,
      credentials: {
        login: credentials.login,
        get: (name) => credentials.get(name),
        refresh: async (name, renew) => {
          own = await renew(own ?? (await credentials.get(name)) ?? '');
          return own;
        },
      },
    });
  }),
};

interface Opening {
  readonly plugin: ConnectorPlugin;
  readonly context: ConnectorContext<unknown>;
}

/** Returns a plugin that opens its connectors differently. */
function inContext(open: (opening: Opening) => ReturnType<ConnectorPlugin['create']>): Mutation {
  return {
    plugin: (plugin) => ({ ...plugin, create: (context) => open({ plugin, context }) }),
  };
}
