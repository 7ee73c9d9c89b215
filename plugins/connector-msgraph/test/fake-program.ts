import { serveFake, type FakeSource, type FakeSteps } from '@trove/test-support/fake-program.js';
import { startFakeGraph } from './fake.js';
import { mailTarget } from './mail-source.js';
import type { StoredMessage } from './fake/mail-world.js';
import type { FakeDrive } from './fake/drive-world.js';
import { driveTarget, settingsFor, siteTarget } from './source.js';

const fake = await startFakeGraph();
const { world, service } = fake;
const config = settingsFor(fake);
const [, , scheme = ''] = process.argv;

/** 10 folders with 50 files each. */
function fillDrive(drive: FakeDrive): void {
  for (let number = 1; number <= 10; number++) {
    const { id: parent } = drive.createFolder(`Folder ${number}`);
    for (let at = 1; at <= 50; at++) {
      const content = `What file ${at} of folder ${number} tells.`;
      drive.create({ name: `file-${at}.txt`, content, parent });
    }
  }
}

/** The last file gets another text. */
function changeDrive(drive: FakeDrive | undefined): void {
  const [last] = [...(drive?.items.values() ?? [])].slice(-1);
  if (last !== undefined) drive?.edit(last.id, { content: 'Now it tells something else.' });
}

/** 500 messages in 125 conversations, 10 of them with an attachment. The answers are in a folder of their own. */
function fillMail(): void {
  const { mail } = world;
  const sent = mail.addFolder('Sent Items');
  let last: StoredMessage | undefined;
  for (let at = 0; at < 500; at++) {
    world.advance(60_000);
    const files = at % 50 === 0 ? { 'notes.txt': `What file ${at} tells.` } : {};
    const text = `What message ${at} tells.`;
    const reply = at % 4 === 0 || last === undefined ? {} : { replyTo: last, folder: sent };
    last = mail.deliver({ subject: `Subject ${at}`, text, files, ...reply });
  }
}

function siteDrive(): FakeDrive {
  return world.addDrive('Documents', world.addSite('sites/Team', 'Team'));
}

const sources: Readonly<
  Record<string, { readonly source: FakeSource; readonly steps: FakeSteps }>
> = {
  onedrive: {
    source: { target: driveTarget, config },
    steps: { fill: () => fillDrive(world.own), change: () => changeDrive(world.own) },
  },
  sharepoint: {
    source: { target: siteTarget, config },
    steps: {
      fill: () => fillDrive(siteDrive()),
      change: () => changeDrive([...world.drives.values()].find(({ siteId }) => siteId !== null)),
    },
  },
  outlook: {
    source: { target: mailTarget, config },
    steps: { fill: fillMail, change: () => void world.mail.deliver() },
  },
};

const chosen = sources[scheme];
if (chosen === undefined) throw new Error(`There is no fake of ${scheme}`);
serveFake(service, chosen.source, chosen.steps);
// Its own server keeps the process alive, too.
process.once('disconnect', () => void fake.downloads.stop());
