import { EventEmitter, once } from 'node:events';
import { setImmediate as immediate } from 'node:timers/promises';

import { defineConverter, silentLogger, type ArtifactCache } from '@trove/core';
import {
  Artifacts,
  ConversionService,
  DisposalStack,
  KnownSecrets,
  PluginRegistry,
} from '@trove/runtime';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('the conversion service');

/** Converts until it is told to stop; says `begun` and `stopped`. */
function endless(events: EventEmitter) {
  return defineConverter({
    mediaTypes: ['image/png'],
    configSchema: { type: 'object' },
    create: () => ({
      version: 'endless 1',
      convert: ({ signal }) =>
        new Promise((_resolve, reject) => {
          events.emit('begun');
          signal.addEventListener('abort', () => {
            events.emit('stopped');
            reject(signal.reason);
          });
        }),
    }),
  });
}

test('a conversion is given up once nobody waits for it, and not before', async () => {
  const events = new EventEmitter();
  let begun = 0;
  let stopped = 0;
  events.on('begun', () => begun++).on('stopped', () => stopped++);
  const empty: ArtifactCache = {
    get: async () => {
      events.emit('asked');
      return null;
    },
    put: async () => undefined,
    prune: async () => undefined,
  };
  const disposal = new DisposalStack(silentLogger);
  const service = new ConversionService(
    {
      registry: new PluginRegistry({ plugins: [endless(events)] }),
      logger: silentLogger,
      signal: new AbortController().signal,
      disposal,
      secrets: new KnownSecrets(),
    },
    new Artifacts(empty, 0, silentLogger),
    { threads: 1, maxBytes: 1000 },
  );
  const reader = () => {
    const controller = new AbortController();
    const document = { bytes: Uint8Array.of(1), mediaType: 'image/png' };
    const ended = service.convert(document, controller.signal).catch(() => 'left');
    return { controller, ended };
  };
  try {
    const started = once(events, 'begun');
    const first = reader();
    await started;
    const asked = once(events, 'asked');
    const second = reader();
    await asked;
    await immediate();
    first.controller.abort();
    assert.is(await first.ended, 'left');
    assert.equal([begun, stopped], [1, 0]);
    second.controller.abort();
    assert.is(await second.ended, 'left');
    assert.equal([begun, stopped], [1, 1]);
  } finally {
    await service.close();
    await disposal.dispose(1000);
  }
});

test.run();
