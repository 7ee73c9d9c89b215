// test-timeout: 300
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { addDocs, checkPage, visitConsole } from './support/console-page.js';

const test = suite('sources, jobs and health in the console in a browser');
const check = testUnless(noBrowser, test);
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

check('checks a source, adds it, syncs it and removes it', () =>
  visitConsole(browser, { fragment: '#/sources' }, async ({ page, world }) => {
    const form = page.locator('.add-source');
    await page.fill('#address', join(world.root, 'nowhere'));
    await page.keyboard.press('Enter');
    await form.locator('.badge:text("cannot be reached")').waitFor();
    await page.fill('#address', world.docs);
    await page.keyboard.press('Enter');
    await form.locator('text=/About \\d+ objects, /').waitFor();
    await checkPage(page, 'the form of a source');
    await page.click('button:text("Add and index")');
    const card = page.locator('.cards .card');
    await card.locator('.badge:text("up to date")').waitFor();
    assert.match(await card.innerText(), /5 objects/);
    await checkPage(page, 'the sources');

    await writeFile(join(world.docs, 'new.md'), 'A new note.\n');
    await card.locator('button:text("Sync now")').click();
    await card.locator('text=/6 objects/').waitFor();

    await card.locator('button:text-is("Remove")').click();
    await page.click('dialog button:text("Keep it")');
    await card.locator('button:text-is("Remove")').click();
    await checkPage(page, 'the question before a source is removed');
    await page.click('dialog button:text("Remove the source")');
    await page.waitForSelector('.add-source');
    assert.is(await card.count(), 0);
  }),
);

check('asks for the settings of a source by its schema', () =>
  visitConsole(browser, { fragment: '#/sources' }, async ({ page, running }) => {
    await page.waitForSelector('#kind option[value="shop"]', { state: 'attached' });
    await page.selectOption('#kind', 'shop');
    await page.fill('#address', 'corner');
    await page.fill('#setting-key', 'env:TROVE_TEST_UNSET');
    await page.click('button:text("Check")');
    await page.waitForSelector('[role=alert]:has-text("TROVE_TEST_UNSET")');
    await page.fill('#setting-key', 'secret-of-the-shop');
    await page.click('summary:text("More settings")');
    await page.selectOption('#setting-well', 'true');
    await checkPage(page, 'the settings of a source');
    await page.click('button:text("Check")');
    await page.click('button:text("Add and index")');
    await page.waitForSelector('.notice:has-text("The source was added")');
    await page.click('button:text("Continue")');
    await page.click('.card a:text("shop://corner")');
    await page.click('summary:text("Configuration")');
    await page.waitForSelector('dd:text("***")');
    await page.waitForSelector('.badge:text("up to date")');
    await page.click('summary:text("Schedule")');
    await page.selectOption('.schedule select', '6h');
    await page.click('button:text("Save and sync")');
    await page.waitForSelector('dd:has-text("next sync")');
    await page.click('summary:text("Requests of the next sync")');
    await page.waitForSelector('.section:has-text("cannot tell the requests")');
    const { config } = await running.engine.inspect({ target: 'shop://corner' });
    assert.equal(config, { every: '6h', key: '***', well: true });
  }),
);

check('shows failing sources first, failed jobs with their reason, and cancels a job', () =>
  visitConsole(
    browser,
    {
      prepare: async (server) => {
        const { world, running } = server;
        await addDocs(server);
        const config = { key: 'of-the-shop' };
        await running.engine.add({ target: 'shop://corner', config, process: true });
        world.gate.closed = true;
        await running.engine.add({ target: 'shop://corner', process: true });
      },
      fragment: '#/sources',
    },
    async ({ page, open, world }) => {
      await page.waitForSelector('.card >> nth=0 >> .badge.bad:text("failing")');
      assert.match(await page.innerText('.card >> nth=0'), 'The shop is closed');
      assert.match(await page.innerText('main [role=status]'), '2 sources, 1 failing');
      await checkPage(page, 'a failing source');
      await open('#/health');
      await page.waitForSelector('.notice:has-text("The shop is closed")');
      await checkPage(page, 'the health');

      world.gate.closed = false;
      world.gate.shut();
      await open('#/source?root=shop://corner');
      await page.waitForSelector('.card:has-text("failed"):has-text("The shop is closed")');
      await checkPage(page, 'a source');
      await page.click('button:text("Sync now")');
      await open('#/activity');
      await page.waitForSelector('.card:has-text("running") progress');
      await checkPage(page, 'the activity');
      await page.click('button:text("Cancel")');
      await page.waitForSelector('.card:has-text("cancelled")');
      world.gate.open();
    },
  ),
);

check('opens the page of a graph, and shows how agents connect', () =>
  visitConsole(
    browser,
    {
      prepare: ({ running }) =>
        running.engine.graph.addDocuments('people', {
          documents: ['Ada Lovelace worked with Charles Babbage.'],
        }),
      fragment: '#/graphs',
    },
    async ({ page, open, running }) => {
      await page.waitForSelector('.card:has-text("people"):has-text("1 passage")');
      await checkPage(page, 'the graphs');
      await open('#/access');
      await page.waitForSelector(`pre:has-text("${running.host.url}/mcp")`);
      await checkPage(page, 'the access');
      await open('#/graphs');
      await page.fill('[aria-label="Question about people"]', 'Who worked with Ada Lovelace?');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#answer-text:has-text("Charles Babbage")');
      await page.click('header a:text("Trove")');
      await page.waitForSelector('#query');
    },
  ),
);

test.run();
