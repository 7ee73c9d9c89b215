import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';

import { defineConverter, silentLogger, type ConverterPlugin } from '@trove/core';
import type { ArtifactCache } from '@trove/core/store';
import {
  LimitedArtifactCache,
  ConversionService,
  DisposalStack,
  KnownSecrets,
  PluginRegistry,
} from '@trove/runtime';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testWorkers } from '@trove/testkit';
import { rejection } from '@trove/test-support/rejection.js';

const test = suite('the conversion service');

/** Converts until it is aborted. Reports `begun` and `stopped`. */
function endless(events: EventEmitter) {
  return defineConverter({
    keys: ['image/png'],
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

function open(plugin: ConverterPlugin, cache: ArtifactCache | null, growthMiB = 100) {
  const disposal = new DisposalStack(silentLogger);
  const service = new ConversionService(
    {
      registry: new PluginRegistry({ plugins: [plugin] }),
      logger: silentLogger,
      signal: new AbortController().signal,
      disposal,
      secrets: new KnownSecrets(),
      workers: testWorkers,
    },
    new LimitedArtifactCache(cache, 0, silentLogger),
    { processes: 1, maxBytes: 1000, growthMiB },
  );
  return {
    service,
    async [Symbol.asyncDispose]() {
      await service.close();
      await disposal.dispose(1000);
    },
  };
}

test('a conversion is cancelled when its last caller leaves', async () => {
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
  await using opened = open(endless(events), empty);
  const { service } = opened;
  const reader = () => {
    const controller = new AbortController();
    const document = { bytes: Uint8Array.of(1), mediaType: 'image/png' };
    const ended = service.convert(document, controller.signal).catch(() => 'left');
    return { controller, ended };
  };
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
});

test('a process that uses too much memory outside its heap is killed', async () => {
  const { default: greedy } = await import('./support/greedy-converter.mjs');
  await using opened = open(greedy, null);
  const { signal } = new AbortController();
  const document = { bytes: Uint8Array.of(1), mediaType: 'image/png' };
  const error = await rejection(() => opened.service.convert(document, signal));
  assert.is(error.code, 'document_too_complex');
  assert.is(error.detail, 'The conversion needs more than 100 MiB of memory');
});

test('an allocation above the heap limit ends only its own process', async () => {
  const { default: huge } = await import('./support/huge-converter.mjs');
  await using opened = open(huge, null, 2000);
  const { signal } = new AbortController();
  const document = { bytes: Uint8Array.of(1), mediaType: 'image/png' };
  const error = await rejection(() => opened.service.convert(document, signal));
  assert.is(error.code, 'document_too_complex');
  assert.is(error.detail, 'The conversion needs more than 512 MiB of memory');
});

test('a caller does not wait for background conversions', async () => {
  const { default: stuck } = await import('./support/stuck-converter.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'trove-conversions-'));
  try {
    await using opened = open(stuck, null);
    const controller = new AbortController();
    const { signal } = controller;
    const documentOf = (text: string) => ({ bytes: Buffer.from(text), mediaType: 'image/png' });
    const begun = join(folder, 'begun');
    const stays = opened.service.convert(documentOf(begun), signal).catch(() => 'left');
    while (!existsSync(begun)) await immediate();
    const wanted = opened.service.convert(documentOf(''), signal, { isAwaited: true });
    assert.is(new TextDecoder().decode((await wanted).markdown), 'nothing');
    controller.abort();
    assert.is(await stays, 'left');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
