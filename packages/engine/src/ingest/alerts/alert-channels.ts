import { messageOf } from '@trove/core';
import { anySignal, openHttp, readSecret } from '@trove/runtime';
import { runProgram } from '@trove/runtime/workers';
import type { AlertSettings } from '../../settings.js';

/** The time limit of a delivery. Less than the lease of an alert. */
const timeoutMs = 15_000;

/** A way to notify people. */
export interface AlertChannel {
  readonly name: 'webhook' | 'command';
  /** Throws an error for the log if no alert can be sent, such as for a missing environment variable. */
  check(): Promise<void>;
  /**
   * Delivers a body. Throws an error for the log, without secrets. `id` is the same for all attempts, because an alert
   * may be delivered twice.
   */
  send(id: string, body: unknown, signal: AbortSignal): Promise<void>;
}

export function alertChannelsOf({ webhook, command }: AlertSettings): AlertChannel[] {
  return [
    ...(webhook === null ? [] : [webhookChannel(webhook)]),
    ...(command.length === 0 ? [] : [commandChannel(command)]),
  ];
}

/** `reference`: a URL, or a reference to it. */
function webhookChannel(reference: string): AlertChannel {
  return {
    name: 'webhook',
    check: async () => void (await webhookUrl(reference)),
    send: (id, body, signal) =>
      withinTime(signal, async (until) => {
        const url = await webhookUrl(reference);
        const fetch = openHttp(until, { userAgent: 'Trove (alerts)', retries: false });
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'trove-alert-id': id },
          body: JSON.stringify(body),
        }).catch((error: unknown) => {
          throw new Error(messageOf(error).replaceAll(url, 'the webhook'));
        });
        await response.body?.cancel();
        if (!response.ok) throw new Error(`The webhook answered with HTTP ${response.status}.`);
      }),
  };
}

async function webhookUrl(reference: string): Promise<string> {
  const url = (await readSecret('alerts.webhook', reference)).trim();
  if (!URL.canParse(url)) throw new Error('alerts.webhook: is not a URL');
  return url;
}

/** The program gets the body on its standard input. */
function commandChannel(command: readonly string[]): AlertChannel {
  return {
    name: 'command',
    check: async () => undefined,
    send: (id, body, signal) =>
      withinTime(signal, async (until) => {
        const env = { ...ownEnvironment(), TROVE_ALERT_ID: id };
        const options = { input: `${JSON.stringify(body)}\n`, env, signal: until };
        const { code, stderr } = await runProgram(command, options);
        if (code === 0) return;
        const end = code === null ? 'was killed' : `exited with ${code}`;
        throw new Error(`The command ${end}${stderr === '' ? '' : `: ${stderr}`}`);
      }),
  };
}

async function withinTime(
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = AbortSignal.timeout(timeoutMs);
  const until = anySignal(signal, limit);
  try {
    await send(until.signal);
  } catch (error) {
    throw limit.aborted ? new Error(`No answer within ${timeoutMs / 1000} s`) : error;
  } finally {
    until.end();
  }
}

/** The environment without Trove's settings, which may be secrets. */
function ownEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TROVE_')),
  );
}
