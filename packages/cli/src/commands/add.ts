import { retryAfterRunningSync } from '../jobs/running-sync.js';
import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';
import { chooseUpload, sendAndAdd } from '../upload/upload-choice.js';
import { withNotice } from '../terminal/notice.js';
import { readConfig } from './config-file.js';
import { confirmLargeTarget } from './confirmation.js';
import { reportAddedSource } from './added-source.js';
import { optionsOf } from './parameters.js';

const options = optionsOf('addSource', {
  omit: ['process'],
  change: { since: { valueHint: 'WHEN' } },
});

export const add = command({
  name: 'add',
  description:
    'Register a folder or another source and index it; if it is registered already, sync it',
  args: {
    target: {
      type: 'positional',
      completes: 'source',
      description: 'A local path, or the URI of a source',
    },
    // Not generated: the configuration is an object, which a file contains.
    config: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'TOML file with the configuration',
    },
    ...options.args,
    wait: {
      type: 'boolean',
      default: true,
      description: "Do not wait: print the job's id and leave the work to the server",
    },
    watch: {
      type: 'boolean',
      description:
        'Sync again by itself whenever something in the source changes, unless its files are sent; for a registered one, with --update. A source that cannot report changes is synced every 10 minutes',
    },
    yes: {
      type: 'boolean',
      alias: 'y',
      description: 'Do not ask before adding a very large folder',
    },
    upload: {
      type: 'boolean',
      description:
        'Send the files of a local folder to the server; what happens anyway if that runs on another machine, or has the files of this folder already. --no-upload: the path is one of the server’s own',
    },
    'force-upload': {
      type: 'boolean',
      description: 'Send all files, even those that the server has',
    },
    detach: { type: 'boolean', alias: 'd', description: 'The same as --no-wait' },
  },
  notes: [
    'Only new and changed objects are read. Ctrl-C does not stop the job: `trove job cancel` does.',
    'If the source is already being synced, the command waits for that to end and then syncs it once more.',
    'Sources may overlap; the command says so when it adds one. What two of them share appears as one hit.',
    'Asks before it adds a home folder, a whole disk or the whole machine; without a terminal it refuses, unless given -y.',
    'Of a folder that is sent, what the server would leave out stays here: ignored and private files, links, files over 64 MiB. Later only what has changed is sent. What is deleted here is deleted there.',
    'Exits with 1 if the job failed or was cancelled, or if any object failed.',
  ],
  examples: [
    { command: 'trove add .', does: 'index the folder you are in' },
    {
      command: 'trove add https://docs.example.com/guide',
      does: 'index a web site, or a part of it',
    },
    { command: 'trove add ~/notes --no-wait', does: 'index in the background' },
    {
      command: 'trove add ~/notes --watch --update',
      does: 'keep up with what changes in a folder',
    },
    {
      command: 'trove add ~/archive --config archive.toml',
      does: 'add a source with a configuration of its own',
    },
    {
      command: 'trove add ~/notes --upload',
      does: 'send the files to the server, and index them there',
    },
  ],
  async run(args, cli) {
    const target = toTarget(args.required('target'), cli.cwd);
    const given = readConfig(args.text('config'), cli.cwd);
    const config = args.flag('watch') ? { ...given, watch: true } : given;
    const upload = await chooseUpload(cli, target, {
      upload: args.optionalFlag('upload'),
      force: args.flag('force-upload'),
      full: args.flag('full'),
    });
    const body = {
      ...options.request(args),
      target: upload?.uri ?? target,
      config,
      process: false,
    };
    if (!args.flag('yes')) await confirmLargeTarget(target, body.target, cli);
    const wait = args.flag('wait') && !args.flag('detach');
    const ask = (more = {}) =>
      withNotice(cli, 'Checking the source …', () =>
        cli.client.ingest.addSource({ body: { ...body, ...more } }),
      );
    const answer =
      upload === null
        ? await (wait ? retryAfterRunningSync(cli, body.target, ask) : ask())
        : await sendAndAdd(cli, upload, body, ask);
    await reportAddedSource(cli, body.target, answer, wait);
  },
});
