import { TroveError } from '@trove/core';
import { commandBody } from '@trove/commands';
import { sendTestAlerts } from 'trove';
import type { ServerContext } from './context.js';
import { configArg, configOf } from './shared.js';

export const alertsTest = commandBody({
  args: configArg,
  notes: [
    'The alert has the event `source_failing` and the code `alert_test`. Exits with 1 if it could not be delivered.',
  ],
  examples: [{ command: 'trove-server alerts test', does: 'check that alerts arrive' }],
  async run(args, { out }: ServerContext) {
    const { settings } = await configOf(args.text('config'));
    const results = await sendTestAlerts(settings);
    if (results.length === 0) {
      throw new TroveError('config_invalid', 'alerts: no receiver is configured', {
        suggestions: ['Set `webhook` or `command` in [alerts] of server.toml.'],
      });
    }
    const failed = results.flatMap(({ channel, error }) =>
      error === null ? [] : [`${channel}: ${error}`],
    );
    for (const { channel, error } of results)
      if (error === null) await out.write(`The ${channel} accepted the test alert.\n`);
    if (failed.length > 0) {
      throw new TroveError('not_available', failed.join('; '), {
        suggestions: [
          'Correct [alerts] in server.toml or the receiver. The server needs the same environment variables as this command.',
        ],
      });
    }
  },
});
