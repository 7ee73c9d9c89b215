// test-timeout: 300
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { addDocs, checkPage, signIn, visitConsole } from './support/console-page.js';
import { token } from './support/server.js';
import { signInCode } from './support/sign-in-code.js';

const test = suite('the search of the console in a browser');
const check = testUnless(noBrowser, test);
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

check('asks for the token once, and forgets it at the end', () =>
  visitConsole(browser, { signsIn: false }, async ({ page }) => {
    await page.fill('#token', 'not the token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]:text("refuses this token")');
    await checkPage(page, 'the form for the token');
    await signIn(page);
    await page.reload();
    await page.waitForSelector('#query');
    await page.click('button:text("Sign out")');
    await page.waitForSelector('#token');
    await page.reload();
    await page.waitForSelector('#token');
  }),
);

check('signs in once with a link', () =>
  visitConsole(browser, { prepare: addDocs, signsIn: false }, async ({ page, running }) => {
    const link = `${running.host.url}/#/search?q=fox&sign-in=${signInCode(token)}`;
    await page.goto(link);
    await page.waitForSelector('.hit mark');
    assert.match(page.url(), /#\/search\?q=fox$/, 'the history does not contain the code');
    await page.reload();
    await page.waitForSelector('.hit mark');
    await page.click('button:text("Sign out")');
    await page.goto('about:blank');
    await page.goto(link);
    await page.waitForSelector('[role=alert]:has-text("This link was used before")');
    await checkPage(page, 'a link that was used before');
    await signIn(page);
  }),
);

check('shows marked passages while the caller types, and opens one with the keyboard', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, world }) => {
    await page.keyboard.type('brown fox');
    await page.waitForSelector('.hit mark');
    assert.equal(await page.locator('.hit >> nth=0 >> mark').allInnerTexts(), ['brown', 'fox']);
    assert.match(page.url(), /#\/search\?q=brown\+fox$/);
    await page.click('.why summary >> nth=0');
    assert.match(await page.innerText('.why >> nth=0'), /relevance is [01]\.\d{3}.*BM25 score \d/s);
    await checkPage(page, 'the search');

    await page.focus('.brand');
    await page.keyboard.press('/');
    assert.is(await page.evaluate('document.activeElement.id'), 'query');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.markdown .here');
    assert.match(await page.innerText('.markdown'), 'The quick brown fox.');
    assert.match(decodeURIComponent(page.url()), `#/read?path=file://local${world.docs}/fox.md`);
    await page.goBack();
    await page.waitForSelector('.hit mark');
    assert.is(await page.inputValue('#query'), 'brown fox');
  }),
);

check('marks answers, and writes them as questions for an evaluation', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, world, open }) => {
    await open('#/search?q=brown+fox');
    const mark = page.locator('.hit >> nth=0 >> button:text("This is the answer")');
    await mark.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.marked:has-text("the answers to 1 question.")');
    assert.is(await mark.getAttribute('aria-pressed'), 'true');
    await checkPage(page, 'a marked answer');
    await page.reload();
    const file = page.waitForEvent('download');
    await page.click('a:text("Download questions.jsonl")');
    const { question, wanted } = JSON.parse(await readFile(await (await file).path(), 'utf8'));
    assert.is(question, 'brown fox');
    assert.equal(wanted, [
      { source: `file://local${world.docs}/fox.md`, text: 'The quick brown fox.' },
    ]);
    await mark.click();
    await page.waitForSelector('.marked', { state: 'detached' });
    await mark.click();
    await page.click('button:text("Sign out")');
    await signIn(page);
    await open('#/search?q=fox');
    await page.waitForSelector('.hit');
    assert.is(await page.locator('.marked').count(), 0);
  }),
);

check('filters, and explains a search without passages', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, open }) => {
    await open('#/search?q=fox');
    await page.waitForSelector('.hit');
    await page.getByLabel('Type').selectOption('py,jupyter');
    await page.waitForSelector('.notice:has-text("No passages match")');
    await page.waitForSelector('.notice:has-text("Without the filters, 1 passage matches")');
    await checkPage(page, 'a search without passages');
    await page.click('text=Search without filters');
    await page.waitForSelector('.hit');
    await open('#/search?q=xylophonist');
    await page.waitForSelector('.notice:has-text("No word of the query occurs")');
  }),
);

check('counts the passages that each option of a filter would leave', () =>
  visitConsole(
    browser,
    {
      prepare: async (server) => {
        const { root, docs } = server.world;
        const files = [
          'a.ts',
          'b.svelte',
          'c.py',
          'Makefile',
          'my.Dockerfile',
          'd.csv',
          'e.h',
          'f.log',
        ];
        for (const name of files) await writeFile(join(docs, name), `badger ${name}\n`);
        const other = join(root, 'other');
        await mkdir(other);
        await writeFile(join(other, 'old.md'), 'A badger.\n');
        await utimes(join(other, 'old.md'), 1e9, 1e9);
        await addDocs(server);
        await server.running.engine.add({ target: other, process: true });
      },
    },
    async ({ page, open, world, running }) => {
      await open('#/search?q=badger');
      const label = async (name: string, option: string | RegExp): Promise<string> => {
        const found = page.getByLabel(name).locator('option').filter({ hasText: option });
        await found.filter({ hasText: /\(\d+\)/ }).waitFor({ state: 'attached' });
        return found.innerText();
      };
      assert.match(await label('Source', 'other'), '/other (1)');
      assert.match(await label('Source', /docs/), '/docs (8)');
      assert.match(await label('Changed', 'Past day'), 'Past day (8)');
      const types = page.getByLabel('Type');
      for (const option of await types.locator('option').all()) {
        const type = (await option.getAttribute('value')) ?? '';
        if (type === '') continue;
        const { results } = await running.engine.search({ q: 'badger', type, top_k: 100 });
        assert.match(await option.innerText(), `(${results.length})`);
      }
      await types.selectOption({ label: await label('Type', 'Scripts') });
      await page.waitForSelector('text=2 passages');
      assert.match(await label('Source', /docs/), '/docs (2)');
      assert.is(await label('Type', 'Notes and text'), 'Notes and text (1)', 'without this filter');
      await checkPage(page, 'the counts of filters');
      assert.is(await page.locator('.counts').count(), 0);
      for (let at = 0; at < 120; at++)
        await writeFile(join(world.docs, `${at}.txt`), `badger number ${at}\n`);
      await addDocs({ world, running });
      await open('#/search?q=badger number');
      await page.waitForSelector('.counts:has-text("100 best passages")');
    },
  ),
);

check('sends only filters that the server knows', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, open }) => {
    await open('#/search?q=fox');
    await page.waitForSelector('.hit');
    await page.locator('.filters option[value^="file:"]').waitFor({ state: 'attached' });
    const filters = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('.filters select')].map(({ options }) =>
        [...options].map(({ value }) => value))`,
    );
    assert.ok(filters.length >= 5);
    for (const [index, values] of filters.entries()) {
      for (const value of values.toReversed()) {
        const answer = page.waitForResponse((response) => response.url().includes('/v1/search?'));
        await page.selectOption(`.filters select >> nth=${index}`, value);
        assert.is((await answer).status(), 200, value);
      }
    }
  }),
);

check('offers the search to other programs', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, open, running }) => {
    await open("#/search?q=it's a fox&mode=keyword");
    await page.click('text=Read it elsewhere');
    await page.waitForSelector('.hit pre:has-text("trove cat"):has-text("--range 1:")');
    await page.click('text=Run this search elsewhere');
    const [command, curl, tool] = await page.locator('.elsewhere pre').allInnerTexts();
    assert.is(command?.trim(), `trove search 'it'\\''s a fox' --mode keyword`);
    const url = /'(http[^']*)'/.exec(curl ?? '')?.[1] ?? '';
    assert.ok(url.startsWith(`${running.host.url}/v1/search?q=it%27s+a+fox&mode=keyword`), url);
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    assert.is(response.status, 200);
    assert.equal(JSON.parse(tool ?? ''), {
      name: 'search',
      arguments: { query: "it's a fox", mode: 'keyword' },
    });
  }),
);

check('opens local files in the chosen editor', () =>
  visitConsole(browser, { prepare: addDocs }, async ({ page, open, world }) => {
    await open('#/search?q=fox');
    const link = page.locator('.hit a:text("Open in VS Code")');
    assert.is(await link.getAttribute('href'), `vscode://file${world.docs}/fox.md:1`);
    await page.click('text=Run this search elsewhere');
    await page.getByLabel('Editor for local files').selectOption('IntelliJ IDEA');
    const other = page.locator('.hit a:text("Open in IntelliJ IDEA")');
    assert.is(await other.getAttribute('href'), `idea://open?file=${world.docs}/fox.md&line=1`);
    await page.reload();
    await other.waitFor();
    await page.click('text=Run this search elsewhere');
    await page.getByLabel('Editor for local files').selectOption('none');
    await other.waitFor({ state: 'detached' });
  }),
);

check('shows hostile names and texts as text', () =>
  visitConsole(
    browser,
    {
      prepare: async (server) => {
        const { docs } = server.world;
        const attack = '<img src=x onerror="document.title=1">';
        await writeFile(join(docs, `${attack}\u202Egnp.md`), `# ${attack}\n\nzebra ${attack}\n`);
        await addDocs(server);
      },
    },
    async ({ page, open }) => {
      await open('#/search?q=zebra');
      await page.waitForSelector('.hit mark');
      assert.is(await page.locator('main img').count(), 0);
      assert.match(await page.innerText('.passage'), '<img src=x');
      assert.match(await page.innerText('.hit-place'), '\ufffdgnp.md');
      await page.click('.hit-link');
      await page.waitForSelector('.markdown');
      assert.is(await page.locator('main img').count(), 0);
      await checkPage(page, 'a hostile object');
      assert.match(await page.title(), 'Trove');
    },
  ),
);

check('sends people to the sources if nothing is indexed', () =>
  visitConsole(browser, {}, async ({ page }) => {
    await page.click('text=Add a source');
    await page.waitForSelector('h1:text("Sources")');
  }),
);

check('says that a page does not exist', () =>
  visitConsole(browser, { fragment: '#/nope' }, async ({ page }) => {
    await page.waitForSelector('h1:text("This page does not exist")');
  }),
);

test.run();
