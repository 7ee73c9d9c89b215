// test-timeout: 300
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  installedPlugins,
  installedSourceKinds,
  openTrove,
  resolveSettings,
  type Engine,
} from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { WizardCancelledError } from '../src/wizard/prompts.js';
import { SourceWizard, type WizardTarget } from '../src/wizard/source-wizard.js';
import { ScriptedPrompts } from './support/scripted-prompts.js';
import { text, type StartedService } from './support/service-case.js';
import { services } from './support/services.js';

/* From a token to the first hit, for each web service. */

const test = suite('wizards of web services');
const maxQuestions = 4;
let folder: string;

test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trove-wizards-'));
});
test.after.each(() => rm(folder, { recursive: true, force: true }));

interface Session {
  readonly engine: Engine;
  readonly prompts: ScriptedPrompts;
  readonly printed: string[];
  /** Answers all questions, and registers the source. */
  run(scheme: string, addresses: StartedService['addresses']): Promise<void>;
  /** Answers the questions about the target. */
  ask(given?: string): Promise<WizardTarget>;
}

async function withWizard(
  answers: StartedService['answers'],
  use: (session: Session) => Promise<void>,
): Promise<void> {
  const settings = resolveSettings({}, { home: join(folder, 'home') });
  const engine = await openTrove(settings, { version: '0.0.0' });
  const prompts = new ScriptedPrompts(answers);
  const printed: string[] = [];
  const wizard = new SourceWizard({
    prompts,
    connectors: await installedPlugins(settings, [], 'connector'),
    kinds: await installedSourceKinds(settings, []),
    engine,
    excluded: [],
    print: (line) => void printed.push(line),
  });
  const run: Session['run'] = async (scheme, addresses) => {
    const { target, config } = await wizard.askTarget(scheme);
    const asked = await wizard.askSettings(target, { ...config, ...addresses }, []);
    await wizard.register(await wizard.testSource(target, asked, false));
  };
  try {
    await use({ engine, prompts, printed, run, ask: (given) => wizard.askTarget(given) });
  } finally {
    await engine.close();
  }
}

for (const { scheme, start } of services) {
  test(`${scheme}: leads from a token to the first hit with few questions`, async () => {
    await using service = await start(folder);
    const answers = [...service.answers, ['Register and index', 'yes']] as const;
    await withWizard(answers, async ({ engine, prompts, printed, run }) => {
      await run(scheme, service.addresses);
      assert.is(prompts.questions, answers.length);
      assert.ok(prompts.questions <= maxQuestions);
      const help = prompts.shown.find((said) => /https:\/\/|In the Google|in GitLab/.test(said));
      assert.ok(help !== undefined, 'it says where to get a token');
      const last = printed.at(-1);
      assert.is(last, `Then search it: trove search "WORDS" ${service.target}`);
      engine.startWorker();
      const [job] = await engine.jobs();
      const ended = await engine.waitForJob(job?.id ?? '');
      assert.is(ended.status, 'succeeded', JSON.stringify(ended));
      const { results } = await engine.search({ q: 'lantern greenhouse', path: service.target });
      assert.match(results[0]?.content ?? '', text);
    });
  });

  test(`${scheme}: names a missing right, and asks again`, async () => {
    await using service = await start(folder);
    service.removeRight();
    const answers = [...service.answers, ['cannot be used', 'leave']] as const;
    await withWizard(answers, async ({ engine, prompts, run }) => {
      const error: unknown = await run(scheme, service.addresses).catch(
        (thrown: unknown) => thrown,
      );
      assert.instance(error, WizardCancelledError);
      assert.match(prompts.shown.join('\n'), service.problem);
      assert.equal((await engine.status()).connectors, []);
    });
  });
}

test('changed answers replace the first ones', async () => {
  const [github] = services;
  assert.ok(github !== undefined);
  await using service = await github.start(folder);
  const answers = [
    ['Repository', 'acme/rocket'],
    ['Access token', 'wrong'],
    ['cannot be used', 'change'],
    ['Access token', 'token-1'],
    ['Register and index', 'yes'],
  ] as const;
  await withWizard(answers, async ({ engine, prompts, run }) => {
    await run('github', service.addresses);
    assert.is(prompts.questions, answers.length);
    assert.is((await engine.status()).connectors.length, 1);
  });
});

const readings = [
  ['github', 'https://github.com/acme/rocket/issues', 'acme/rocket', undefined],
  ['github', 'git@github.com:acme/rocket.git', 'acme/rocket', undefined],
  ['github', 'github.com/acme/rocket', 'acme/rocket', undefined],
  ['github', 'https://git.acme.example/a/b', 'a/b', 'https://git.acme.example/api/v3'],
  ['github', 'https://acme.ghe.com/a/b', 'a/b', 'https://api.acme.ghe.com'],
  ['gitlab', 'https://gitlab.com/acme/tools/rocket/-/issues/1', 'acme/tools/rocket', undefined],
  ['gitlab', 'git@git.acme.example:a/b.git', 'a/b', 'https://git.acme.example'],
  ['slack', 'acme.slack.com', 'acme', undefined],
  ['slack', 'https://acme.slack-gov.com', 'acme', 'https://slack-gov.com/api'],
  [
    'jira',
    'https://acme.atlassian.net/jira/software/c/projects/OPS/boards/1',
    'acme/OPS',
    undefined,
  ],
  ['jira', 'https://acme.atlassian.net/jira/your-work', 'acme', undefined],
  [
    'jira',
    'https://jira.acme.example/browse/OPS-1',
    'jira.acme.example/OPS',
    'https://jira.acme.example',
  ],
  ['discord', '100000000000000000', '100000000000000000', undefined],
  [
    'discord',
    'https://discord.com/channels/100000000000000000/200000000000000000',
    '100000000000000000',
    undefined,
  ],
  ['linear', 'https://linear.app/acme/team/ENG/active', 'acme', undefined],
  ['linear', 'Acme', 'acme', undefined],
  ['confluence', 'https://acme.atlassian.net/wiki/home', 'acme', undefined],
  ['confluence', 'acme/OPS', 'acme/OPS', undefined],
] as const;

test('understands names and web addresses, also of servers of your own', async () => {
  const settings = resolveSettings({}, { home: join(folder, 'home') });
  const connectors = await installedPlugins(settings, [], 'connector');
  for (const [scheme, answer, address, base_url] of readings) {
    const { setup } = connectors.find(({ key }) => key === scheme) ?? {};
    const config = base_url === undefined ? {} : { config: { base_url } };
    assert.equal(setup?.address.read(answer), { address, ...config }, answer);
  }
});

const question = 'Kind of source';
const searches: readonly (readonly [
  answers: StartedService['answers'],
  target: string,
  config?: WizardTarget['config'],
])[] = [
  [
    [
      [question, 'https://acme.atlassian.net/browse/OPS-1'],
      ['Which source', 'jira'],
    ],
    'jira://acme/OPS',
  ],
  [
    [
      [question, 'https://acme.atlassian.net/wiki/spaces/OPS/pages/7'],
      ['Which source', 'confluence'],
    ],
    'confluence://acme/OPS',
  ],
  [
    [
      [question, 'https://acme.slack.com/archives/C0123'],
      ['Which source', 'slack'],
    ],
    'slack://acme',
  ],
  [
    [
      [question, 'https://github.com/acme/rocket/issues/7'],
      ['Which source', 'github'],
    ],
    'github://acme/rocket',
  ],
  [
    [
      [question, 'https://git.acme.example/a/b/-/issues/1'],
      ['Which source', 'gitlab'],
    ],
    'gitlab://a/b',
    { base_url: 'https://git.acme.example' },
  ],
  [
    [
      [question, 'https://www.notion.so/acme/Plan-1a2b'],
      ['Which source', 'notion'],
    ],
    'notion://acme',
  ],
  [
    [
      [question, 'https://drive.google.com/drive/folders/1aB'],
      ['Which source', 'gdrive'],
      ['Name of the drive', 'team'],
    ],
    'gdrive://team',
    { folder_id: '1aB' },
  ],
  [[[question, 'postgres://reader@db/shop']], 'postgres://reader@db/shop'],
  [[[question, '/srv/notes']], '/srv/notes'],
  [
    [
      [question, 'google CLOUD'],
      ['Address: gs://', 'docs/handbook'],
    ],
    'gs://docs/handbook',
  ],
];

for (const [answers, target, config = {}] of searches)
  test(`finds ${target} by ${answers[0]?.[1]}`, () =>
    withWizard(answers, async ({ ask, prompts }) => {
      assert.equal(await ask(), { target, config });
      assert.is(prompts.questions, answers.length);
    }));

test('asks which source a given web address means', () =>
  withWizard([['Which source', 'github']], async ({ ask }) => {
    const target = { target: 'github://acme/rocket', config: {} };
    assert.equal(await ask('https://github.com/acme/rocket'), target);
  }));

test('takes the address of a web site without a question', () =>
  withWizard([], async ({ ask }) => {
    const target = { target: 'https://docs.example.com/guide', config: {} };
    assert.equal(await ask('https://docs.example.com/guide'), target);
  }));

test('refuses an address that names nothing', async () => {
  await withWizard([['Repository', 'rocket']], async ({ run }) => {
    const error: unknown = await run('github', {}).catch((thrown: unknown) => thrown);
    assert.match(String(error), 'Enter owner/name');
  });
});

test.run();
