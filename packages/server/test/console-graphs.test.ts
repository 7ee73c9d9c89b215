// test-timeout: 600
import { createHmac } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { checkPage, visitConsole } from './support/console-page.js';
import {
  ada,
  ask,
  babbage,
  buildPeople,
  clickEntity,
  drawn,
  question,
} from './support/graph-page.js';
import { token } from './support/server.js';

const test = suite('the graphs of the console in a browser');
const check = testUnless(noBrowser, test);
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

const people = '#/graphs?graph=people';

check('answers, quotes, draws, and leads back to the file', () =>
  visitConsole(browser, { prepare: buildPeople, fragment: '#/graphs' }, async (visit) => {
    const { page, world } = visit;
    await page.click('.card a:text("people")');
    await page.waitForSelector('#size:has-text("2 passages")');
    await checkPage(page, 'a graph');
    await ask(page, question);
    assert.match(await page.innerText('#answer-text'), `“${ada}” 1`);
    assert.match(await page.innerText('#answer-text'), `“${babbage}” 2`);
    assert.equal(await page.locator('#passages mark').allInnerTexts(), [ada, babbage]);
    assert.is(await page.locator('#passages .markdown h2:text("Notes")').count(), 1);
    assert.match(
      await page.innerText('#passage-1 .facts-list'),
      'Ada Lovelace worked with Charles Babbage',
    );
    await drawn(page, 3);
    await checkPage(page, 'the answer of a graph');
    await page.click('#answer-text .cite >> nth=1');
    assert.is(await page.evaluate('document.activeElement.id'), 'passage-2');
    assert.equal(Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split('?')[1])), {
      graph: 'people',
      question,
    });

    await page.click('#passage-1 button:text("Show in the file")');
    await page.waitForSelector('.markdown .here:has-text("Ada Lovelace")');
    assert.match(decodeURIComponent(page.url()), /notes\/ada\.md&lines=1:7$/);
    await page.goBack();
    await rm(join(world.root, 'notes', 'ada.md'));
    await page.click('#passage-1 button:text("Show in the file")');
    await page.waitForSelector('#passage-1 [role=alert]');

    await ask(page, 'What is the capital of Peru?');
    await page.waitForSelector('#answer-text:text("not found in this graph")');
    assert.is(await page.locator('#picture').count(), 0);
    await page.goBack();
    await page.waitForSelector('#answer-text:has-text("Analytical")');
    assert.is(await page.inputValue('#question'), question);
  }),
);

check('offers questions that the graph can answer', () =>
  visitConsole(browser, { prepare: buildPeople, fragment: people }, async ({ page }) => {
    await page.click('.examples a >> nth=0');
    await page.waitForSelector('#answer-text:has-text("“")');
    await page.waitForSelector('#passages mark');
  }),
);

check('adds the neighbors of a clicked entity, and shows each step again', () =>
  visitConsole(
    browser,
    {
      prepare: ({ running }) =>
        running.engine.graph.addDocuments('rivers', {
          documents: [
            'Rhine and Aare.',
            'Aare and Reuss.',
            'Reuss and Limmat.',
            'Limmat and Sihl.',
          ],
          triplets: [
            [['Aare', 'flows into', 'Rhine']],
            [['Reuss', 'flows into', 'Aare']],
            [['Limmat', 'meets', 'Reuss']],
            [['Sihl', 'flows into', 'Limmat']],
          ],
          extract_triplets: false,
        }),
      fragment: '#/graphs?graph=rivers&passage_top_k=1&expansion_degree=2',
    },
    async ({ page }) => {
      await ask(page, 'What flows into the Rhine?');
      const names = () => page.locator('#entities li').allTextContents();
      await page.waitForSelector('#entities li', { state: 'attached' });
      const before = await names();
      assert.ok(before.includes('Rhine') && !before.includes('Sihl'), before.join());
      assert.ok(Number(await page.getAttribute('#step', 'max')) >= 1);

      await clickEntity(page, 'Limmat');
      await page.waitForSelector('#entity h3:text-is("Limmat")');
      await page.waitForSelector('#step-text:has-text("Neighbors of Limmat")');
      assert.ok((await names()).includes('Sihl'));
      await page.waitForSelector('#entity .facts-list:has-text("Sihl flows into Limmat")');
      await page.click('#entity .cite');
      await page.waitForSelector('.opened-passage:has-text("Limmat")');

      const all = (await names()).length;
      await drawn(page, all);
      await page.focus('#step');
      await page.keyboard.press('Home');
      const text = await page.innerText('#step-text');
      const [, found] = /^Step 1 of \d+ · Found for the question: (\d+) entit/.exec(text) ?? [];
      await drawn(page, Number(found));
      assert.ok(Number(found) < before.length, `${text}; then ${before.length}`);
      await page.click('#play');
      await page.waitForSelector('#play:text("Play")');
      await drawn(page, all);
    },
  ),
);

check('shows hostile contents of a graph as text', () => {
  const hostile = `<img src=x onerror="document.body.id='taken'"><script>document.body.id='taken'</script>`;
  return visitConsole(
    browser,
    {
      prepare: ({ running }) =>
        running.engine.graph.addDocuments('hostile', {
          documents: [`${hostile} rules the castle.`, `The castle has a moat. ${hostile}`],
          ids: [hostile, `]${hostile}`],
          metadatas: [
            { title: hostile, source: `javascript:document.body.id='taken'//${hostile}` },
            { title: hostile, source: `file://local/${hostile}.md` },
          ],
          triplets: [[[hostile, `rules ${hostile}`, 'castle']], [['castle', 'has', 'moat']]],
          extract_triplets: false,
        }),
      fragment: '#/graphs?graph=hostile',
    },
    async ({ page }) => {
      await ask(page, 'Who rules the castle?');
      await page.waitForSelector('#passage-1');
      assert.match(await page.innerText('#answer-text'), '<img src=x onerror');
      assert.match(await page.innerText('#passage-1 h3'), '<img src=x onerror');
      await page.click('#entities summary');
      await page.click('#entities li button:has-text("<img")');
      await page.waitForSelector('#entity h3:has-text("<img")');
      assert.is(await page.locator('#passages a').count(), 0);
      await ask(page, `${hostile} ${'long '.repeat(1900)}`);
      assert.is(await page.locator('img, main script').count(), 0);
      assert.is(await page.getAttribute('body', 'id'), null);
    },
  );
});

check('draws, lists and walks through a graph of 500 entities', () => {
  const places = Array.from({ length: 500 }, (_, at) => `Place ${at}`);
  return visitConsole(
    browser,
    {
      prepare: ({ running }) =>
        running.engine.graph.addDocuments('roads', {
          documents: places.map((name) => `A road leads from Hub to ${name}.`),
          triplets: places.map((name, at) => [
            [at % 10 === 0 ? 'Hub' : `Place ${at - 1}`, 'leads to', name],
          ]),
          extract_triplets: false,
        }),
      fragment: '#/graphs?graph=roads&passage_top_k=50&expansion_degree=4',
    },
    async ({ page }) => {
      await ask(page, 'Where does the road from Hub lead?');
      await page.waitForSelector('#entities');
      const count = Number((await page.innerText('#entities summary')).split(' ')[0]);
      assert.ok(count > 50 && count <= 150, `${count} entities`);
      await page.click('#entities summary');
      assert.is(await page.locator('#entities li').count(), count);
      await page.fill('#entities input', 'HUB');
      await page.waitForSelector('#entities li >> nth=1', { state: 'detached' });
      assert.equal(await page.locator('#entities li').allTextContents(), ['Hub']);
      await page.click('#entities li button');
      await page.waitForSelector('#entity .facts-list:has-text("Hub leads to Place")');
    },
  );
});

check('reports a missing graph, a bad filter and a changed token', () =>
  visitConsole(
    browser,
    { prepare: buildPeople, fragment: '#/graphs?graph=nowhere' },
    async ({ page, open, running }) => {
      await page.waitForSelector('[role=alert]:has-text("The graph nowhere does not exist.")');
      await open(people);
      await page.waitForSelector('#size');
      await page.click('.graph-options summary');
      await page.fill('[placeholder="year >= 2020"]', 'year >');
      await ask(page, question);
      await page.waitForSelector('main [role=alert]:has-text("filter")');
      await running.engine.graph.deleteGraph('people');
      await open(`${people}&question=Who`);
      await page.waitForSelector('[role=alert]:has-text("The graph people does not exist")');
      await page.evaluate("sessionStorage.setItem(Object.keys(sessionStorage)[0], 'old')");
      await page.reload();
      await page.waitForSelector('[role=alert]:has-text("refuses this token")');
    },
  ),
);

check('takes a pass out of the address, and answers its question', () => {
  const start = `pass.${Math.floor(Date.now() / 1000) + 600}`;
  const pass = `${start}.${createHmac('sha256', token).update(start).digest('base64url')}`;
  const asked = new URLSearchParams({ graph: 'people', question, passage_top_k: '1' }).toString();
  return visitConsole(
    browser,
    { prepare: buildPeople, fragment: `#/graphs?${asked}&pass=${pass}`, signsIn: false },
    async ({ page, running }) => {
      await page.waitForSelector('#answer-text:has-text("Lovelace")');
      assert.is(page.url(), `${running.host.url}/#/graphs?${asked}`);
      assert.is(await page.locator('#passages > li').count(), 1);
      await page.goto(`${running.host.url}/#/graphs?pass=${pass.slice(0, -2)}`);
      await page.waitForSelector('#token');
      assert.is(page.url(), `${running.host.url}/#/graphs`);
    },
  );
});

check('works with the keyboard alone, on a small screen', () =>
  visitConsole(
    browser,
    { prepare: buildPeople, fragment: people, signsIn: false },
    async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await page.waitForSelector('#token:focus');
      await page.keyboard.type(token);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#question:focus');
      await page.keyboard.type(question);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#passage-2');
      const seen = new Set<string>();
      for (let at = 0; at < 60; at++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          '(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()',
        );
        seen.add(focused);
        if (focused === '3 entities') await page.keyboard.press('Enter');
      }
      for (const label of ['Passage 1', 'Step', 'Fit', 'Find an entity', 'Ada Lovelace']) {
        assert.ok(seen.has(label), `${label} is reached by Tab: ${[...seen].join(' | ')}`);
      }
    },
  ),
);

test.run();
