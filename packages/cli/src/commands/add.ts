import { retryAfterRunningSync } from '../jobs/running-sync.js';
import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';
import { chooseUpload, uploadAndAdd } from '../upload/upload-choice.js';
import { withNotice } from '../terminal/notice.js';
import { readConfig } from './config-file.js';
import { confirmLargeTarget } from './confirmation.js';
import { reportAddedSource } from './added-source.js';
import { optionsOf } from './parameters.js';
import { scheduleArgs, scheduleChangeOf } from './schedule-options.js';

const options = optionsOf('addSource', {
  omit: ['process'],
  change: { since: { valueHint: 'WHEN' } },
});

export const add = command({
  name: 'add',
  description: 'Register a source and index it. Sync it if it is already registered',
  args: {
    target: {
      type: 'positional',
      completes: 'source',
      description: 'A local path or the URI of a source',
    },
    // Not generated: the configuration is an object, which a file contains.
    config: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'TOML file with the configuration',
    },
    ...options.args,
    ...scheduleArgs,
    wait: {
      type: 'boolean',
      default: true,
      description: "Print the job's id and do not wait for the job",
    },
    watch: {
      type: 'boolean',
      description:
        'Sync whenever the source changes. Not for uploaded folders. For a registered source, add --update. A source that cannot report changes is synced every 10 minutes',
    },
    yes: {
      type: 'boolean',
      alias: 'y',
      description: 'Skip the confirmation for very large folders',
    },
    upload: {
      type: 'boolean',
      description:
        'Upload a local folder. Default if the server runs on another machine or already has an upload of this folder. --no-upload: the path is on the server',
    },
    'force-upload': {
      type: 'boolean',
      description: 'Upload all files, including unchanged ones',
    },
    detach: { type: 'boolean', alias: 'd', description: 'Same as --no-wait' },
  },
  notes: [
    'Reads only new and changed objects. Ctrl-C does not stop the job; `trove job cancel` does.',
    'If a sync of the source is running, the command waits for it and then syncs again.',
    'For a registered source, --every, --cron, --hours and --watch need --update, and keep the rest of its configuration. --cron "30 6 * * 1-5" means 6:30 from Monday to Friday.',
    'Sources may overlap. The command lists overlapping sources. An object in two sources appears as one hit.',
    'Asks for confirmation before it adds a home folder, a whole disk or the whole machine. Without a terminal it fails unless -y is given.',
    'An upload skips what a server would leave out: ignored and private files, links, files over 64 MiB. Later uploads send only changes. Files deleted locally are deleted on the server.',
    'Exits with 1 if the job failed or was cancelled, or if any object failed.',
  ],
  examples: [
    { command: 'trove add .', does: 'index the current folder' },
    {
      command: 'trove add https://docs.example.com/guide',
      does: 'index a web site or a part of it',
    },
    { command: 'trove add ~/notes --no-wait', does: 'index in the background' },
    {
      command: 'trove add ~/notes --watch --update',
      does: 'sync a folder whenever it changes',
    },
    {
      command: 'trove add https://docs.example.com/guide --every 1d',
      does: 'sync a web site every day',
    },
    {
      command: 'trove add ~/archive --config archive.toml',
      does: 'add a source with its own configuration',
    },
    {
      command: 'trove add ~/notes --upload',
      does: 'upload files and index them on the server',
    },
  ],
  async run(args, cli) {
    const target = toTarget(args.required('target'), cli.cwd);
    const config = readConfig(args.text('config'), cli.cwd);
    const watch = args.flag('watch') ? { watch: true } : undefined;
    const change = scheduleChangeOf(args);
    const schedule = watch === undefined ? change : { ...change, ...watch };
    const upload = await chooseUpload(cli, target, {
      upload: args.optionalFlag('upload'),
      force: args.flag('force-upload'),
      full: args.flag('full'),
    });
    const body = {
      ...options.request(args),
      target: upload?.uri ?? target,
      config,
      ...(schedule === undefined ? {} : { schedule }),
      process: false,
    };
    if (!args.flag('yes')) await confirmLargeTarget(target, body.target, cli);
    const wait = args.flag('wait') && !args.flag('detach');
    const sendRequest = (more = {}) =>
      withNotice(cli, 'Checking the source …', () =>
        cli.client.ingest.addSource({ body: { ...body, ...more } }),
      );
    const answer =
      upload === null
        ? await (wait ? retryAfterRunningSync(cli, body.target, sendRequest) : sendRequest())
        : await uploadAndAdd(cli, upload, body, sendRequest);
    await reportAddedSource(cli, body.target, answer, wait);
  },
});
