import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startFakeAirtable } from '../../../../plugins/connector-airtable/test/fake.js';
import { startFakeAsana } from '../../../../plugins/connector-asana/test/fake.js';
import { startFakeConfluence } from '../../../../plugins/connector-confluence/test/fake.js';
import { startFakeDiscord } from '../../../../plugins/connector-discord/test/fake.js';
import { startFakeFeishu } from '../../../../plugins/connector-feishu/test/fake.js';
import { startFakeGithub } from '../../../../plugins/connector-github/test/fake.js';
import { startFakeGitlab } from '../../../../plugins/connector-gitlab/test/fake.js';
import { startFakeHubspot } from '../../../../plugins/connector-hubspot/test/fake.js';
import { startFakeIntercom } from '../../../../plugins/connector-intercom/test/fake.js';
import { startFakeJira } from '../../../../plugins/connector-jira/test/fake.js';
import { startFakeLinear } from '../../../../plugins/connector-linear/test/fake.js';
import { startFakeNotion } from '../../../../plugins/connector-notion/test/fake.js';
import { startFakeSlack } from '../../../../plugins/connector-slack/test/fake.js';
import { startFakeSnowflake } from '../../../../plugins/connector-snowflake/test/fake.js';
import { startFakeZendesk } from '../../../../plugins/connector-zendesk/test/fake.js';
import { googleServices } from './google-services.js';
import { microsoftServices } from './microsoft-services.js';
import { started, text, type ServiceCase } from './service-case.js';

/** Every connector of a web service. */
export const services: readonly ServiceCase[] = [
  {
    scheme: 'github',
    async start() {
      const fake = await startFakeGithub();
      fake.world.createIssue({ title: 'Flickering', body: text });
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'github://acme/rocket',
        answers: [
          ['Repository', 'https://github.com/acme/rocket/issues'],
          ['Access token', 'token-1'],
        ],
        removeRight: () => fake.world.permissions.delete('issues'),
        problem: /"Issues: read"/,
      });
    },
  },
  {
    scheme: 'gitlab',
    async start() {
      const fake = await startFakeGitlab();
      fake.world.create('issue', { title: 'Flickering', description: text });
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'gitlab://acme/tools/rocket',
        answers: [
          ['Project', 'https://gitlab.com/acme/tools/rocket/-/issues/1'],
          ['Access token', ' token-1\n'],
        ],
        removeRight: () => {
          fake.world.hasScope = false;
        },
        problem: /`read_api`/,
      });
    },
  },
  {
    scheme: 'slack',
    async start() {
      const fake = await startFakeSlack();
      fake.world.post(fake.world.addChannel('general').id, text);
      return started(fake, {
        addresses: { base_url: `${fake.service.origin}/api` },
        target: 'slack://acme',
        answers: [
          ['Workspace', 'https://acme.slack.com'],
          ['Token', 'xoxb-1'],
        ],
        removeRight: () => fake.world.scopes.delete('groups:history'),
        problem: /groups:history/,
      });
    },
  },
  {
    scheme: 'jira',
    async start() {
      const fake = await startFakeJira();
      fake.world.addProject('OPS', 'Operations');
      fake.world.create({ summary: text }, 'OPS');
      return started(fake, {
        addresses: { base_url: fake.service.origin, edition: 'cloud' },
        target: 'jira://acme/OPS',
        answers: [
          ['Site', 'https://acme.atlassian.net/browse/OPS-1'],
          ['Email address', 'ann@acme.example'],
          ['API token', 'token-1'],
        ],
        removeRight: () => fake.world.tokens.delete('token-1'),
        problem: /does not accept the login/,
      });
    },
  },
  {
    scheme: 'confluence',
    async start() {
      const fake = await startFakeConfluence();
      fake.world.addSpace('OPS', 'Operations');
      fake.world.create('Flickering', `<p>${text}</p>`, { space: 'OPS' });
      return started(fake, {
        addresses: { base_url: fake.service.origin, edition: 'cloud' },
        target: 'confluence://acme/OPS',
        answers: [
          ['Site', 'https://acme.atlassian.net/wiki/spaces/OPS/overview'],
          ['Email address', 'ann@acme.example'],
          ['API token', 'token-1'],
        ],
        removeRight: () => fake.world.tokens.delete('token-1'),
        problem: /does not accept the login/,
      });
    },
  },
  {
    scheme: 'notion',
    async start() {
      const fake = await startFakeNotion();
      fake.world.createPage({ title: 'Flickering', markdown: text });
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'notion://acme',
        answers: [
          ['Name of the workspace', 'acme'],
          ['Integration secret', 'token-1'],
        ],
        removeRight: () => fake.world.capabilities.delete('content'),
        problem: /"Read content"/,
      });
    },
  },
  {
    scheme: 'discord',
    async start() {
      const fake = await startFakeDiscord();
      const { guild } = fake.world;
      fake.world.send(fake.world.addChannel('general').id, text);
      return started(fake, {
        addresses: { base_url: `${fake.service.origin}/api/v10` },
        target: `discord://${guild}`,
        answers: [
          ['Server', `https://discord.com/channels/${guild}/1`],
          ['Token of the bot', 'bot-token-1'],
        ],
        removeRight: () => {
          fake.world.hasIntent = false;
        },
        problem: /"Message Content Intent"/,
      });
    },
  },
  {
    scheme: 'linear',
    async start() {
      const fake = await startFakeLinear();
      fake.world.createIssue({ title: 'Flickering', description: text });
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'linear://acme',
        answers: [
          ['Workspace', 'https://linear.app/acme/team/ENG/active'],
          ['API key', 'lin_api_1'],
        ],
        removeRight: () => {
          fake.world.mayRead = false;
        },
        problem: /"Read"/,
      });
    },
  },
  {
    scheme: 'hubspot',
    async start() {
      const fake = await startFakeHubspot();
      fake.world.create('notes', { hs_note_body: `<p>${text}</p>` });
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'hubspot://acme',
        answers: [
          ['Name of the account', 'acme'],
          ['Service key', 'token-1'],
        ],
        removeRight: () => fake.world.scopes.delete('crm.objects.contacts.read'),
        problem: /lacks the scope crm\.objects\.contacts\.read/,
      });
    },
  },
  {
    scheme: 'asana',
    async start() {
      const fake = await startFakeAsana();
      const { world } = fake;
      const { gid } = world.addProject('Website');
      world.addTask({ name: 'Flickering', notes: text, projects: [gid] });
      return started(fake, {
        addresses: { base_url: `${fake.service.origin}/api/1.0` },
        target: 'asana://1001',
        answers: [
          ['Id of the workspace', 'https://app.asana.com/1/1001/project/2002/list/3003'],
          ['Personal access token', 'token-1'],
        ],
        removeRight: () => {
          world.workspace.gid = '1002';
        },
        problem: /sees no workspace with the id 1001/,
      });
    },
  },
  {
    scheme: 'zendesk',
    async start() {
      const fake = await startFakeZendesk();
      fake.world.create({ subject: 'Flickering', description: text });
      fake.world.advance(3_600_000);
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'zendesk://acme',
        answers: [
          ['Account', 'https://acme.zendesk.com/agent/tickets/1'],
          ['Email address', 'ann@acme.example'],
          ['API token', 'token-1'],
        ],
        removeRight: () => {
          fake.world.role = 'agent';
        },
        problem: /needs? the role "admin"/,
      });
    },
  },
  {
    scheme: 'intercom',
    async start() {
      const fake = await startFakeIntercom();
      fake.world.write(text);
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'intercom://acme1234',
        answers: [
          ['Workspace', 'https://app.intercom.com/a/inbox/acme1234/inbox/conversation/1'],
          ['Access token', 'token-1'],
        ],
        removeRight: () => fake.world.forbidden.add('/conversations'),
        problem: /lacks the permission "Read conversations"/,
      });
    },
  },
  {
    scheme: 'snowflake',
    async start(folder) {
      const fake = await startFakeSnowflake();
      const columns = [{ name: 'NOTE', type: 'TEXT' }];
      fake.world.addTable('PUBLIC', 'NOTES', { columns, rows: [[text]] });
      const file = join(folder, 'key.p8');
      await writeFile(file, fake.key);
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'snowflake://reader@myorg-acme/SHOP',
        answers: [
          ['User, account and database', 'reader@myorg-acme/SHOP'],
          ['Path of its private key', file],
          ['Warehouse', ''],
        ],
        removeRight: () => {
          fake.world.hasRight = false;
        },
        problem: /does not exist or not authorized/,
      });
    },
  },
  {
    scheme: 'feishu',
    async start() {
      const fake = await startFakeFeishu();
      fake.world.post(fake.world.addChat('Garden').id, text);
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: 'feishu://acme',
        answers: [
          ['Tenant', 'https://acme.feishu.cn/messenger'],
          ['App ID', 'cli_1'],
          ['App Secret', 'secret-1'],
        ],
        removeRight: () => fake.world.scopes.delete('im:chat'),
        problem: /im:chat/,
      });
    },
  },
  {
    scheme: 'airtable',
    async start() {
      const fake = await startFakeAirtable();
      const { world } = fake;
      const base = world.createBase('crm');
      const table = world.createTable(base, 'notes', { Note: 'multilineText' });
      world.createRow(table, { Note: text });
      return started(fake, {
        addresses: { base_url: fake.service.origin },
        target: `airtable://${base.id}`,
        answers: [
          ['Address of the base', `https://airtable.com/${base.id}/${table.id}/viw1`],
          ['Personal access token', 'pat-1'],
        ],
        removeRight: () => world.scopes.delete('schema.bases:read'),
        problem: /schema\.bases:read/,
      });
    },
  },
  ...googleServices,
  ...microsoftServices,
];
