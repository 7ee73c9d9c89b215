import type { AddResponse } from '@trove/client';

import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';
import { chooseUpload, uploadAndAdd } from '../upload/upload-choice.js';
import { withNotice } from '../terminal/notice.js';
import { readConfig } from './config-file.js';
import { reportAddedSource } from './added-source.js';

export const update = command({
  name: 'update',
  description: 'Replace the configuration of a registered source, and sync it',
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
    'Without --config, the source gets the default configuration. Objects affected by the change are indexed again.',
    'Exits with 1 if the job failed or was cancelled, or if any object failed.',
  ],
  examples: [
    {
      command: 'trove connector update ~/archive --config archive.toml',
      does: 'change the rules of a source',
    },
  ],
  async run(args, cli) {
    const typedTarget = args.required('target');
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
    const config = readConfig(args.text('config'), cli.cwd) ?? {};
    const body = { target, config, process: false, update: true };
    const sendRequest = (): Promise<AddResponse> =>
      withNotice(cli, 'Checking the source …', () => cli.client.ingest.addSource({ body }));
    const answer =
      upload === null ? await sendRequest() : await uploadAndAdd(cli, upload, body, sendRequest);
    await reportAddedSource(cli, target, answer, args.flag('wait'));
  },
});
