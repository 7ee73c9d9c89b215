import { randomUUID } from 'node:crypto';
import { messageOf } from '@trove/core';
import { createAbortController } from '@trove/runtime';
import type { EngineOptions } from './options.js';
import { alertSettingsOf } from './resolve-options.js';
import { sourceAlert } from './ingest/alerts/alert-body.js';
import { alertChannelsOf } from './ingest/alerts/alert-channels.js';

/** The result of a test alert on one channel. */
export interface AlertTest {
  readonly channel: 'webhook' | 'command';
  /** Null: the alert was delivered. */
  readonly error: string | null;
}

/** Sends an alert with the code `alert_test` through each configured channel, without retries. */
export async function testAlerts(options: Pick<EngineOptions, 'alerts'>): Promise<AlertTest[]> {
  const settings = alertSettingsOf(options);
  const { signal } = createAbortController();
  const detail = 'This is a test. No source is failing.';
  const incident = { code: 'alert_test', since: Date.now() };
  const body = sourceAlert('source_failing', 'test://alert', incident, detail, settings.baseUrl);
  return Promise.all(
    alertChannelsOf(settings).map(async (channel) => {
      const sent = channel.send(randomUUID(), body, signal).then(() => null, messageOf);
      return { channel: channel.name, error: await sent };
    }),
  );
}
