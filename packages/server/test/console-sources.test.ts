// test-timeout: 300
import { mkdir, rm, writeFile } from 'node:fs/promises';
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
    await card.locator('.card-facts:has-text("6 objects")').waitFor();

    await card.locator('button:text-is("Remove")').click();
    await page.click('dialog button:text("Keep it")');
    await card.locator('button:text-is("Remove")').click();
    await checkPage(page, 'the question before a source is removed');
    await page.click('dialog button:text("Remove the source")');
    await page.waitForSelector('.add-source');
    assert.is(await card.count(), 0);
  }),
);

check('recognises a pasted address', () =>
  visitConsole(browser, { fragment: '#/sources' }, async ({ page }) => {
    await page.waitForSelector('#kind option:text-is("Jira")', { state: 'attached' });
    await page.fill('#address', 'https://acme.atlassian.net/browse/OPS-1');
    await page.keyboard.press('Tab');
    await page.click('button:text("Use Jira")');
    await page.waitForSelector('#setting-token');
    assert.equal(
      [await page.inputValue('#kind'), await page.inputValue('#address')],
      ['jira', 'jira://acme/OPS'],
    );
    await checkPage(page, 'a recognised source');
  }),
);

check('asks for the settings of a source by its schema', () =>
  visitConsole(browser, { fragment: '#/sources' }, async ({ page, running }) => {
    await page.waitForSelector('#kind option:text-is("shop")', { state: 'attached' });
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
    await page.click('.card a:has-text("shop://corner")');
    await page.click('summary:text("Configuration")');
    await page.waitForSelector('dd:text("***")');
    await page.waitForSelector('.badge:text("up to date")');
    await page.click('summary:text("Schedule")');
    await page.selectOption('.schedule select', '6h');
    await page.click('.schedule button:text("Save")');
    await page.waitForSelector('dd:has-text("next sync")');
    await page.click('button:text("Pause")');
    await page.waitForSelector('dd .badge:text("paused")');
    assert.is(await page.locator('dd:has-text("next sync")').count(), 0);
    await page.click('button:text("Resume")');
    await page.waitForSelector('dd:has-text("next sync")');
    await page.click('summary:text("Requests of the next sync")');
    await page.waitForSelector('.section:has-text("cannot tell the requests")');
    const { config } = await running.engine.inspect({ target: 'shop://corner' });
    assert.equal(config, { every: '6h', key: '***', well: true });
  }),
);

check('chooses objects by rules, with a preview', () =>
  visitConsole(browser, { fragment: '#/sources' }, async ({ page, world, open, running }) => {
    await page.fill('#address', world.docs);
    await page.click('.add-source summary:text("Rules")');
    await page.click('button:text("Add a rule")');
    await page.fill('[aria-label="Pattern of rule 1"]', '/deep');
    await page.click('button:text("Check")');
    await page.waitForSelector('.checked:has-text("1 object would be left out")');
    await page.waitForSelector('.top-level .left-out:has-text("deep/")');
    await checkPage(page, 'the rules of a new source');
    await page.click('button:text("Add and index")');
    const root = `file://local${world.docs}`;
    await open(`#/source?root=${encodeURIComponent(root)}`);
    await page.waitForSelector('.card:has-text("2 left out")');
    await page.click('summary:text-is("Rules")');
    assert.is(await page.inputValue('[aria-label="Pattern of rule 1"]'), '/deep');
    await page.click('button:text("Add a rule")');
    await page.fill('[aria-label="Pattern of rule 2"]', '*.md');
    await page.click('button:text("Preview")');
    await page.waitForSelector('.checked:has-text("2 objects would be left out")');
    await checkPage(page, 'the rules of a source');
    await page.click('button:text("Save and sync")');
    await page.waitForSelector('.card:has-text("3 left out")');
    const { config } = await running.engine.inspect({ target: root });
    const rule = { indexable: false };
    assert.equal(config, {
      objects: [
        { match: '/deep', ...rule },
        { match: '*.md', ...rule },
      ],
    });
  }),
);

check('syncs a failed object again', () =>
  visitConsole(
    browser,
    {
      prepare: async (server) => {
        await writeFile(join(server.world.docs, 'report.pdf'), '%PDF-1.4 damaged');
        await addDocs(server);
      },
    },
    async ({ page, world, open }) => {
      await open(`#/source?root=${encodeURIComponent(`file://local${world.docs}`)}`);
      await page.click('summary:has-text("1 object failed")');
      await page.waitForSelector('li:has-text("report.pdf")');
      await checkPage(page, 'a failed object');
      await rm(join(world.docs, 'report.pdf'));
      await page.click('button:has-text("Try again")');
      await page.waitForSelector('.card:has-text("1 removed")');
      assert.is(await page.locator('.card:has-text("succeeded") >> text=unchanged').count(), 0);
    },
  ),
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
      await page.waitForSelector('.plot:has-text("Disk use") >> text=/\\d B|\\d .B/');
      for (const [table, row] of [
        ['By part', /^Index \d/],
        ['By source', /^shop:\/\/corner \d/],
      ] as const)
        await page.getByRole('table', { name: table }).getByRole('row', { name: row }).waitFor();
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

check('shows hostile names of sources and objects as text', () => {
  const attack = '<img src=x onerror="document.title=1">\u202Egnp';
  return visitConsole(
    browser,
    {
      prepare: async ({ world, running }) => {
        const folder = join(world.root, attack);
        await mkdir(folder);
        await writeFile(join(folder, `${attack}.pdf`), '%PDF-1.4 damaged');
        await writeFile(join(folder, `${attack}.csv`), `name\n${attack}\n`);
        await running.engine.add({ target: folder, process: true });
      },
      fragment: '#/sources',
    },
    async ({ page, open, running }) => {
      const root = (await running.engine.status()).connectors[0]?.root_uri ?? '';
      for (const [fragment, selector] of [
        ['#/sources', '.card a:has-text("<img src=x")'],
        [`#/source?root=${encodeURIComponent(root)}`, 'summary:has-text("1 object failed")'],
        ['#/activity', '.card a:has-text("<img src=x")'],
        [`#/read?path=${encodeURIComponent(root)}`, 'td:has-text("\ufffdgnp.csv")'],
        ['#/health', 'dt:text("Version")'],
      ] as const) {
        await open(fragment);
        await page.waitForSelector(selector);
        assert.is(await page.locator('img').count(), 0);
        await checkPage(page, `hostile names in ${fragment}`);
      }
      assert.match(await page.title(), 'Trove');
    },
  );
});

check('shows how agents connect', () =>
  visitConsole(browser, { fragment: '#/access' }, async ({ page, running }) => {
    await page.waitForSelector(`pre:has-text("${running.host.url}/mcp")`);
    await checkPage(page, 'the access');
  }),
);

test.run();
