import {
  isTroveError,
  TroveError,
  type BytesOptions,
  type Connector,
  type ConnectorCapabilities,
  type ConnectorContext,
  type ExplainOptions,
  type GrepRequest,
  type JsonSchema,
  type RecordsOptions,
} from '@trove/core';

import { LoginCheck } from './check.js';
import { listChanges } from './changes.js';
import { readCheckpoint } from './checkpoints.js';
import { CursorDraft } from './cursor.js';
import type { HttpDescription } from './description/index.js';
import { canGrep, grepRecords } from './grep.js';
import { explainSync } from './explain.js';
import { listEntries } from './list.js';
import { ObjectFinder } from './object-finder.js';
import { readDocument } from './read-document.js';
import { readRecords } from './read-records.js';
import { createRun, HttpSource } from './source.js';

/** Creates the connector of a described service. `configSchema` marks the secrets of the configuration. */
export function createHttpConnector(
  description: HttpDescription,
  { keys, configSchema }: { readonly keys: readonly string[]; readonly configSchema: JsonSchema },
  context: ConnectorContext<unknown>,
): Connector {
  const source = new HttpSource(description, keys, context);
  const check = new LoginCheck(source);
  const finder = new ObjectFinder(source);
  const { plan } = source;
  const isIncremental = Object.values(description.streams).some(
    (stream) => stream.incremental !== undefined,
  );
  const hasDocuments = Object.values(description.streams).some(
    (stream) => stream.document !== undefined,
  );
  return {
    capabilities: capabilitiesOf(description),

    async *list({ signal, warn, resume }) {
      const run = createRun(signal, warn);
      await check.assertWorks(run);
      finder.forgetContents();
      const position = readCheckpoint(resume);
      const draft = new CursorDraft(position?.found);
      for await (const item of listEntries(source, run, position, draft)) {
        if ('checkpoint' in item) yield item;
        else {
          draft.addEntry(item);
          finder.remember(item);
          yield item.entry;
        }
      }
      await check.assertStillWorks(run);
    },

    ...(isIncremental
      ? {
          async *changes(request) {
            const run = createRun(request.signal, request.warn);
            const start = await check.assertWorks(run);
            finder.forgetContents();
            yield* listChanges(
              source,
              { ...run, start },
              { ...request, remember: (item) => finder.remember(item) },
            );
            await check.assertStillWorks(run);
          },
        }
      : {}),

    ...(plan.objects.length > 0
      ? {
          async *records(path: string, options: RecordsOptions) {
            const run = createRun(options.signal, undefined, { identity: options.identity });
            await check.assertWorksLately(run);
            const located = await finder.findObject(path, options.identity, run);
            if (located === null) {
              await check.assertStillWorks(run);
              throw new TroveError('not_found', `The source has no object at ${path}.`);
            }
            yield* readRecords(source, located, options, run);
            if (isListing(options)) await check.assertStillWorks(run);
          },
        }
      : {}),

    ...(hasDocuments
      ? {
          async read(path: string, { signal, identity, range }: BytesOptions) {
            const run = createRun(signal, undefined, { identity });
            try {
              const known = await finder.findDocument(path, identity, run);
              if (known === null)
                throw new TroveError('not_found', `The source has no document at ${path}.`);
              const part = range === undefined ? {} : { range };
              return await readDocument(source, path, known, part, run);
            } catch (error) {
              // A document that is not found counts as deleted.
              if (isTroveError(error) && error.code === 'not_found')
                await check.assertStillWorks(run);
              throw error;
            }
          },
        }
      : {}),

    ...(canGrep(plan)
      ? { grep: (request: GrepRequest) => grepRecords(source, request, createRun(request.signal)) }
      : {}),

    check: ({ signal }) => check.health(createRun(signal)),

    explain: ({ cursor, signal }: ExplainOptions) =>
      explainSync(source, configSchema, cursor, createRun(signal)),

    close: () => {
      source.close();
      return Promise.resolve();
    },
  } satisfies Connector;
}

function capabilitiesOf(description: HttpDescription): ConnectorCapabilities {
  const streams = Object.values(description.streams);
  return {
    threads: streams.some(({ ofThread }) => ofThread !== undefined),
    keysOnly: streams.some(({ keysOnly }) => keysOnly !== undefined),
    costlyListing: streams.some(
      ({ document, for: parent }) => document !== undefined || parent !== undefined,
    ),
  };
}

/** Whether all records are read, so those that are absent count as deleted. */
function isListing({ key, thread, limit }: RecordsOptions): boolean {
  return key === undefined && thread === undefined && limit === undefined;
}
