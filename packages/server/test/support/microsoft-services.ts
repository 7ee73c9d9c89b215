import { startFakeGraph } from '../../../../plugins/connector-msgraph/test/fake.js';
import { started, text, type Fake, type ServiceCase, type StartedService } from './service-case.js';

/** Services behind Microsoft Graph. */
export const microsoftServices: readonly ServiceCase[] = [
  {
    scheme: 'onedrive',
    async start() {
      const fake = await startFakeGraph();
      fake.world.own.create({ name: 'greenhouse.txt', content: text });
      return started(fake, {
        ...graphOf(fake),
        target: 'onedrive://ann',
        answers: [['Name of the drive', 'ann'], ...graphAnswers],
        removeRight: () => fake.world.permissions.delete('Files.Read.All'),
        problem: /Files\.Read\.All/,
      });
    },
  },
  {
    scheme: 'sharepoint',
    async start() {
      const fake = await startFakeGraph();
      const { world } = fake;
      const drive = world.addDrive('Documents', world.addSite('sites/Team', 'Team'));
      drive.create({ name: 'greenhouse.txt', content: text });
      const page = 'https://contoso.sharepoint.com/sites/Team/SitePages/Home.aspx';
      return started(fake, {
        ...graphOf(fake),
        target: 'sharepoint://contoso.sharepoint.com/sites/Team',
        answers: [['Web address of the site', page], ...graphAnswers],
        removeRight: () => world.permissions.delete('Sites.Read.All'),
        problem: /Sites\.Read\.All/,
      });
    },
  },
  {
    scheme: 'outlook',
    async start() {
      const fake = await startFakeGraph();
      fake.world.mail.deliver({ subject: 'Flickering', text });
      return started(fake, {
        ...graphOf(fake),
        target: 'outlook://ann',
        answers: [['Name of the mailbox', 'ann'], ...graphAnswers],
        removeRight: () => fake.world.permissions.delete('Mail.Read'),
        problem: /Mail\.Read/,
      });
    },
  },
];

/** A user of Microsoft 365 logs in with an access token. */
const graphAnswers: StartedService['answers'] = [
  ['How does Trove log in?', 'an access token'],
  ['Access token', 'token-1'],
];

function graphOf({ service }: Fake): Pick<StartedService, 'addresses'> {
  return { addresses: { base_url: service.origin, login_url: service.origin } };
}
