import { UsageError } from '@trove/commands';
import type { AddResponse } from '@trove/client';

import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';
import { chooseUpload, uploadAndAdd } from '../upload/upload-choice.js';
import { withNotice } from '../terminal/notice.js';
import { readConfig } from './config-file.js';
import { scheduleArgs, scheduleChangeOf } from './schedule-options.js';
import { reportAddedSource } from './added-source.js';

export const update = command({
  name: 'update',
  description: 'Replace the configuration or the schedule of a registered source, and sync it',
  args: {
    target: {
      type: 'positional',
      completes: 'source',
      description: 'A local path or the URI of a source',
    },
    config: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'TOML file with the new configuration',
    },
    ...scheduleArgs,
    schedule: {
      type: 'boolean',
      default: true,
      description: 'Remove the schedule. The source is then synced on request',
    },
    upload: {
      type: 'boolean',
      description: 'Also upload the files of the local folder again. Only for uploaded sources',
    },
    wait: {
      type: 'boolean',
      default: true,
      description: "Print the job's id and do not wait for the job",
    },
  },
  notes: [
    '--config replaces the whole configuration, including the schedule. An empty file restores the default one. Objects affected by the change are indexed again.',
    'With --every, --cron, --hours or --no-schedule and without --config, only the schedule changes. The change stays even if the sync fails.',
    'With --upload alone, the configuration stays.',
    'Exits with 1 if the job failed or was cancelled, or if any object failed.',
  ],
  examples: [
    {
      command: 'trove connector update ~/archive --config archive.toml',
      does: 'change the rules of a source',
    },
    {
      command: 'trove connector update ~/archive --every 6h --hours 22:00-06:00',
      does: 'sync a source every six hours, at night',
    },
    { command: 'trove connector update ~/archive --no-schedule', does: 'end its schedule' },
  ],
  async run(args, cli) {
    const typedTarget = args.required('target');
    const schedule = args.flag('schedule')
      ? scheduleChangeOf(args)
      : { every: null, cron: null, hours: null };
    const config = readConfig(args.text('config'), cli.cwd);
    if (config === null && schedule === undefined && !args.flag('upload'))
      throw new UsageError('connector update needs --config or another change', [
        'Replace the configuration: --config FILE',
        'Change the schedule: --every, --cron, --hours or --no-schedule',
        'Sync the source without a change: trove add TARGET',
      ]);
    const upload = args.flag('upload')
      ? await chooseUpload(cli, toTarget(typedTarget, cli.cwd), {
          upload: true,
          force: false,
          full: false,
        })
      : null;
    const target = upload?.uri ?? toTarget(typedTarget, cli.cwd, cli.uploadedFolders);
    // Throws for an unknown source.
    await cli.client.connectors.inspectConnector({ target });
    const body = {
      target,
      config,
      ...(schedule === undefined ? {} : { schedule }),
      process: false,
      update: true,
    };
    const sendRequest = (): Promise<AddResponse> =>
      withNotice(cli, 'Checking the source …', () => cli.client.ingest.addSource({ body }));
    const answer =
      upload === null ? await sendRequest() : await uploadAndAdd(cli, upload, body, sendRequest);
    await reportAddedSource(cli, target, answer, args.flag('wait'));
  },
});
