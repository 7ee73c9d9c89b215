// test-timeout: 300
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { addDocs, checkPage, visitConsole, type ConsoleVisit } from './support/console-page.js';

const test = suite('tokens in the console in a browser');
const check = testUnless(noBrowser, test);
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

const adaAccess = { rights: 'sync', paths: ['file://local/srv/notes'] };

async function addAda({ running }: Pick<ConsoleVisit, 'running'>): Promise<void> {
  await running.engine.createToken({ name: 'ada', rights: 'sync', paths: ['/srv/notes'] });
}

check('creates a token, shows it once, and revokes it', () =>
  visitConsole(
    browser,
    { fragment: '#/access', prepare: addDocs },
    async ({ page, world, running }) => {
      await page.fill('#token-name', 'ada');
      await page.getByLabel('Add a source').selectOption(world.docs);
      assert.is(await page.inputValue('#token-paths'), world.docs);
      await page.selectOption('#token-lifetime', { label: 'in 90 days' });
      await page.click('button:text-is("Create")');
      const token = await page.innerText('form [role=status] code');
      const caller = await running.engine.authenticate(token);
      assert.equal(caller?.access, { rights: 'read', paths: [`file://local${world.docs}`] });
      const row = page.locator('tr:has-text("ada")');
      await row.locator('text=in 2 months').waitFor();
      await checkPage(page, 'the tokens');
      await row.locator('button:text-is("Revoke")').click();
      await page.click('dialog button:text("Revoke the token")');
      await row.waitFor({ state: 'detached' });
      assert.is(await running.engine.authenticate(token), null);
    },
  ),
);

check('rotates a token, and ends the replaced one when the person chooses', () =>
  visitConsole(browser, { fragment: '#/access', prepare: addAda }, async ({ page, running }) => {
    const rotate = async (end: string): Promise<string> => {
      const row = page.locator('tr:has-text("ada")').filter({ hasNotText: '(replaced)' });
      await row.locator('button:text-is("Rotate")').click();
      const dialog = page.locator('dialog[open]');
      await dialog.getByLabel('The replaced token ends').selectOption({ label: end });
      if (end === 'in a week') await checkPage(page, 'the rotation of a token');
      await dialog.locator('button:text-is("Rotate the token")').click();
      return page.innerText('main > .page > [role=status] code');
    };
    const first = await rotate('in a week');
    assert.equal((await running.engine.authenticate(first))?.access, adaAccess);
    await page.locator('tr:has-text("in 6 days (replaced)")').waitFor();
    const second = await rotate('at once');
    assert.is(await running.engine.authenticate(first), null);
    assert.equal((await running.engine.authenticate(second))?.access, adaAccess);
    await page.locator('tr:has-text("just now (replaced)")').waitFor();
    assert.is(await page.locator('button:text-is("Rotate")').count(), 1);
    await checkPage(page, 'the rotated tokens');
  }),
);

check('stays signed in when the token of the page is rotated', () =>
  visitConsole(browser, { fragment: '#/access', signsIn: false }, async ({ page, running }) => {
    const { token } = await running.engine.createToken({ name: 'boss', rights: 'admin' });
    await page.fill('#token', token);
    await page.keyboard.press('Enter');
    await page.locator('button:text-is("Rotate")').click();
    await page.getByLabel('The replaced token ends').selectOption({ label: 'at once' });
    await page.locator('button:text-is("Rotate the token")').click();
    await page.locator('tr:has-text("just now (replaced)")').waitFor();
    const shown = await page.innerText('main > .page > [role=status] code');
    assert.is((await running.engine.authenticate(shown))?.name, 'boss');
    assert.is(await running.engine.authenticate(token), null);
    await page.reload();
    await page.waitForSelector('tr:has-text("boss")');
  }),
);

check('tells callers without the right that only administrators manage tokens', () =>
  visitConsole(browser, { fragment: '#/access', signsIn: false }, async ({ page, running }) => {
    const { token } = await running.engine.createToken({ name: 'reader' });
    await page.fill('#token', token);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Only a token with the right “admin”');
    assert.is(await page.locator('#token-name').count(), 0);
  }),
);

check('shows the health of the visible sources to a token with paths', () =>
  visitConsole(
    browser,
    { fragment: '#/health', signsIn: false },
    async ({ page, world, running }) => {
      await addDocs({ world, running });
      const { token } = await running.engine.createToken({ name: 'guest', paths: [world.docs] });
      await page.fill('#token', token);
      await page.keyboard.press('Enter');
      await page.waitForSelector('text=No problems.');
      assert.is(await page.locator('[role=alert], .plots').count(), 0);
      await checkPage(page, 'the health for a token with paths');
    },
  ),
);

check('offers a reader neither actions nor errors nor empty pages', () =>
  visitConsole(browser, { fragment: '#/search', signsIn: false }, async (visit) => {
    const { page, world, running, open } = visit;
    const hidden = join(world.root, 'hidden');
    await mkdir(hidden);
    await writeFile(join(hidden, 'secret.md'), 'The fox sleeps.\n');
    await addDocs(visit);
    await running.engine.add({ target: hidden, process: true });
    const { token } = await running.engine.createToken({ name: 'guest', paths: [world.docs] });
    await page.fill('#token', token);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#query');
    const root = `file://local${world.docs}`;
    for (const [fragment, selector] of [
      ['#/search?q=fox', '.hit'],
      ['#/search?q=xylophonist', '.notice:has-text("No word of the query occurs")'],
      ['#/read', '[role=treeitem]'],
      [`#/read?path=${root}`, 'td:has-text("fox.md")'],
      [`#/read?path=${root}/fox.md`, '.markdown'],
      ['#/sources', '.card'],
      [`#/source?root=${root}`, '.card:has-text("succeeded")'],
      ['#/activity', '.card:has-text("succeeded")'],
      ['#/graphs', '.notice:has-text("so it sees no graph")'],
      ['#/access', 'text=Only a token with the right'],
      ['#/health', 'text=No problems.'],
      ['#/source?root=file://local/elsewhere', '.notice:has-text("or your token does not see it")'],
      ['#/read?path=file://local/elsewhere', '.notice:has-text("or your token does not see it")'],
    ] as const) {
      await open(fragment);
      await page.waitForSelector(selector);
      assert.not.match(await page.innerText('body'), /hidden|secret/, fragment);
      assert.is(await page.locator('[role=alert]').count(), 0, fragment);
      const actions = page.locator(
        'main button:text-matches("^(Add|Sync|Index|Remove|Pause|Try|Save)")',
      );
      assert.is(await actions.count(), 0, fragment);
      await checkPage(page, `${fragment} for a reader`);
    }
  }),
);

test.run();
