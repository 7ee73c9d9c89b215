// test-timeout: 300
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { archiveConnector, goodsCount, manyEntries } from './support/archive.js';
import { addDocs, checkPage, visitConsole, type ConsoleVisit } from './support/console-page.js';

const test = suite('the reader of the console in a browser');
const check = testUnless(noBrowser, test);
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

const plugins = [archiveConnector()];
const addArchive = ({ running }: Pick<ConsoleVisit, 'running'>) =>
  running.engine.add({ target: 'archive://old', process: true });
const readHref = (path: string, more = '') => `#/read?path=${encodeURIComponent(path)}${more}`;

check('opens an object in the tree with the keyboard', () =>
  visitConsole(browser, { prepare: addDocs, fragment: '#/read' }, async ({ page }) => {
    await page.focus('[role=tree]');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[role=treeitem]:has-text("deep")');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[role=treeitem]:has-text("zoo.ts")');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.code .token-keyword:text("export")');
    assert.match(await page.innerText('h1'), 'zoo.ts');
    await checkPage(page, 'an object of code');
    await page.focus('[role=tree]');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('[role=treeitem]:has-text("zoo.ts")', { state: 'detached' });
  }),
);

check('renders Markdown with links to other objects, and points out lines', () =>
  visitConsole(
    browser,
    {
      prepare: async (server) => {
        const text = [
          '# Guide',
          '',
          'See [the fox](./fox.md), [the web](https://example.com/a) and [nothing](javascript:alert(1)).',
          '',
          '![picture](https://example.com/pixel.png)',
          '',
          '| a | b |',
          '| - | - |',
          '| 1 | *two* &amp; three |',
          '',
          '## End',
          '',
          '- [x] done',
          '',
        ];
        await writeFile(join(server.world.docs, 'guide.md'), text.join('\n'));
        await addDocs(server);
      },
    },
    async ({ page, open, world }) => {
      const uri = `file://local${world.docs}/guide.md`;
      await open(readHref(uri, '&lines=11:13'));
      await page.waitForSelector('.markdown .here h3:text("End")');
      assert.is(await page.locator('.markdown img').count(), 0);
      assert.match(await page.innerText('.markdown td >> nth=1'), 'two & three');
      assert.is(await page.locator('.markdown a[href^="javascript"]').count(), 0);
      assert.is(
        await page.getAttribute('.markdown a:text("the web")', 'rel'),
        'noreferrer noopener',
      );
      await checkPage(page, 'Markdown');
      await page.click('button:text("Show the source")');
      await page.waitForSelector('.code');
      assert.is(await page.locator('.code .here').count(), 3);
      await page.click('.outline a:has-text("Guide")');
      await page.waitForSelector('.code .here >> nth=9');
      await page.click('button:text("Show the source")');
      await page.click('.markdown a:text("the fox")');
      await page.waitForSelector('.markdown:has-text("The quick brown fox")');
    },
  ),
);

check('pages long texts, and says why an object has no text', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, open, world }) => {
    await open(readHref(`file://local${world.docs}/large.txt`, '&lines=9000:9001'));
    await page.waitForSelector('.code .here');
    await page.waitForSelector('.pages:has-text("of 12,000")');
    await page.click('.pages a:text("Later")');
    await page.waitForSelector('.line-number[data-number="9460"]');
    await checkPage(page, 'a long text');
    await open(readHref(`file://local${world.docs}/bytes.bin`));
    await page.waitForSelector('[role=alert]');
    await open(readHref(`file://local${world.docs}/missing.md`));
    await page.waitForSelector('[role=alert]:has-text("missing.md")');
  }),
);

check('shows records as a table with pages, and messages as a conversation', () =>
  visitConsole(browser, { prepare: addArchive, plugins }, async ({ page, open }) => {
    await open(readHref('archive://old/goods'));
    await page.waitForSelector('.records .cell:text-is("article 500")');
    await page.waitForSelector('.pages:has-text("Records 1 to 500")');
    await page.fill('[placeholder="Filter these records"]', 'article 33');
    await page.waitForSelector('[role=status]:text("11 records")');
    await checkPage(page, 'records');
    await page.click('.pages a:text("Later")');
    await page.waitForSelector(`.records .cell:text-is("article ${goodsCount}")`);

    await open('#/search?q=walrus');
    await page.click('.hit-link');
    await page.waitForSelector('.messages li:has-text("Ann")');
    assert.match(await page.innerText('.messages'), 'On the <b>shelf</b>');
    assert.match(page.url(), 'locator=');
    await checkPage(page, 'a conversation');
    await page.click('button:text("Show the source")');
    await page.waitForSelector('.code:has-text("Ann: Where is")');
    await page.click('button:text("Show the source")');
    await page.click('a:text("Show all records")');
    await page.waitForSelector('.messages time');
    await page.click('button:text("Show a table")');
    await page.waitForSelector('.records');
  }),
);

check('stays fast in a folder of many objects', () =>
  visitConsole(
    browser,
    { prepare: addArchive, plugins, fragment: '#/read' },
    async ({ page, open }) => {
      await open(readHref('archive://old/many/object-050000.txt'));
      await page.waitForSelector('[role=treeitem]:has-text("object-050000.txt")');
      const rows = () => page.locator('[role=treeitem]').count();
      assert.ok((await rows()) < 100);
      await page.focus('[role=tree]');
      const started = performance.now();
      await page.keyboard.press('End');
      await page.waitForSelector(`[role=treeitem].active:has-text("object-${manyEntries}.txt")`);
      const ms = performance.now() - started;
      assert.ok(ms < 2000, `a key took ${ms} ms`);
      await open(readHref('archive://old/many'));
      await page.waitForSelector('.pages:has-text("Page 1 of 500")');
      await page.fill('[placeholder="Filter these names"]', '99999');
      await page.waitForSelector('[role=status]:text("1 entry")');
      await checkPage(page, 'a large folder');
    },
  ),
);

test.run();
