// test-timeout: 600
import { createHmac } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import {
  ada,
  ask,
  babbage,
  buildPeople,
  clickEntity,
  drawn,
  question,
  signIn,
  visiting,
} from './support/graph-page.js';
import { token } from './support/server.js';

const test = suite('the page of graphs in a browser');
const check = testUnless(noBrowser, test);
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

check('asks for the token, answers, quotes, draws, and leads back to the file', () =>
  visiting(browser, async ({ page, ...here }) => {
    await page.fill('#token', 'not the token');
    await page.click('#sign-in button');
    await page.waitForSelector('#problem:text("refuses this token")');
    await signIn(page);
    assert.match(await page.innerText('#problem'), 'No graphs yet');

    await buildPeople(here);
    await page.reload();
    await page.waitForSelector('#size:has-text("2 passages, ")');
    await ask(page, question);
    assert.match(await page.innerText('#answer-text'), `“${ada}” 1`);
    assert.match(await page.innerText('#answer-text'), `“${babbage}” 2`);
    assert.equal(await page.locator('#passages mark').allInnerTexts(), [ada, babbage]);
    assert.match(
      await page.innerText('#passage-1 .facts'),
      'Ada Lovelace worked with Charles Babbage',
    );
    await page.click('#answer-text .cite >> nth=1');
    assert.is(await page.evaluate('document.activeElement.id'), 'passage-2');

    const address = new URL(page.url());
    assert.is(address.search, '');
    assert.equal(Object.fromEntries(new URLSearchParams(address.hash.slice(1))), {
      graph: 'people',
      question,
    });

    await page.click('#passage-1 button:text("Show in the file")');
    await page.waitForSelector('#source[open] .here');
    assert.match(await page.innerText('#source-body'), /ada\.md, lines 1 to 7/);
    assert.is(await page.locator('#source .here').count(), 7);
    await page.keyboard.press('Escape');
    await page.waitForSelector('#source', { state: 'hidden' });

    await rm(join(here.world.root, 'notes', 'ada.md'));
    await page.click('#passage-1 button:text("Show in the file")');
    await page.waitForSelector('#source .problem');
    assert.match(await page.innerText('#source-body'), ada);
    await page.click('#close');

    await ask(page, 'What is the capital of Peru?');
    assert.is(await page.innerText('#answer-text'), 'not found in this graph');
    assert.is(await page.isVisible('#picture'), false);
    await page.goBack();
    await page.waitForSelector('#answer-text:has-text("Analytical")');
    assert.is(await page.inputValue('#question'), question);
  }),
);

check('an entity is clicked, its neighbors join, and each step is shown again', () =>
  visiting(browser, async ({ page, running }) => {
    await running.engine.graph.addDocuments('rivers', {
      documents: ['Rhine and Aare.', 'Aare and Reuss.', 'Reuss and Limmat.', 'Limmat and Sihl.'],
      triplets: [
        [['Aare', 'flows into', 'Rhine']],
        [['Reuss', 'flows into', 'Aare']],
        [['Limmat', 'meets', 'Reuss']],
        [['Sihl', 'flows into', 'Limmat']],
      ],
      extract_triplets: false,
    });
    await page.fill('#token', token);
    await page.click('#sign-in button');
    await page.click('#options summary');
    await page.fill('#passages-wanted', '1');
    await page.fill('#hops', '2');
    await ask(page, 'What flows into the Rhine?');
    const names = () => page.locator('#entities li').allTextContents();
    const before = await names();
    assert.ok(before.includes('Rhine') && !before.includes('Sihl'), before.join());
    const steps = Number(await page.getAttribute('#step', 'max'));
    assert.ok(steps >= 1);

    await clickEntity(page, 'Limmat');
    await page.waitForSelector('#entity h3:text-is("Limmat")');
    await page.waitForSelector('#step-text:has-text("Neighbors of Limmat")');
    assert.ok((await names()).includes('Sihl'));
    await page.waitForSelector('#entity .facts:has-text("Sihl flows into Limmat")');
    await page.click('#entity .cite');
    await page.waitForSelector('#source[open]');
    assert.match(await page.innerText('#source-body'), /Limmat/);
    await page.keyboard.press('Escape');

    const all = (await names()).length;
    await drawn(page, all);
    await page.focus('#step');
    await page.keyboard.press('Home');
    const said = await page.innerText('#step-text');
    const [, found] = /^Step 1 of \d+ · Found for the question: (\d+) entit/.exec(said) ?? [];
    await drawn(page, Number(found));
    assert.ok(Number(found) < before.length, `${said}; then ${before.length}`);
    await page.click('#play');
    await page.waitForSelector('#play:text("Play")');
    await drawn(page, all);
  }),
);

check('what a graph holds is text, whatever it is', () =>
  visiting(browser, async ({ page, running }) => {
    const hostile = `<img src=x onerror="document.body.id='taken'"><script>document.body.id='taken'</script>`;
    await running.engine.graph.addDocuments('hostile', {
      documents: [`${hostile} rules the castle.`, `The castle has a moat. ${hostile}`],
      ids: [hostile, `]${hostile}`],
      metadatas: [
        { title: hostile, source: `javascript:document.body.id='taken'//${hostile}` },
        { title: hostile, source: `file://local/${hostile}` },
      ],
      triplets: [[[hostile, `rules ${hostile}`, 'castle']], [['castle', 'has', 'moat']]],
      extract_triplets: false,
    });
    await signIn(page);
    await ask(page, 'Who rules the castle?');
    assert.match(await page.innerText('#answer-text'), '<img src=x onerror');
    assert.match(await page.innerText('#passage-1 h3'), '<img src=x onerror');
    await page.click('#entities summary');
    await page.click('#entities li button:has-text("<img")');
    await page.waitForSelector('#entity h3:has-text("<img")');
    for (const at of [1, 2]) {
      await page.click(`#passage-${at} button:text("Show in the file")`);
      await page.waitForSelector('#source[open] blockquote');
      assert.is(await page.locator('#source a').count(), 0);
      await page.click('#close');
    }
    await ask(page, `${hostile} ${'long '.repeat(1900)}`);
    assert.is(await page.locator('img, main script').count(), 0);
    assert.is(await page.getAttribute('body', 'id'), null);
  }),
);

check('a graph of 500 entities is drawn, listed and walked through', () =>
  visiting(browser, async ({ page, running }) => {
    const places = Array.from({ length: 500 }, (_, at) => `Place ${at}`);
    await running.engine.graph.addDocuments('roads', {
      documents: places.map((name) => `A road leads from Hub to ${name}.`),
      triplets: places.map((name, at) => [
        [at % 10 === 0 ? 'Hub' : `Place ${at - 1}`, 'leads to', name],
      ]),
      extract_triplets: false,
    });
    await signIn(page);
    await page.click('#options summary');
    await page.fill('#hops', '4');
    await page.fill('#passages-wanted', '50');
    await ask(page, 'Where does the road from Hub lead?');
    const count = Number((await page.innerText('#entities summary')).split(' ')[0]);
    assert.ok(count > 50 && count <= 150, `${count} entities`);
    await page.click('#entities summary');
    assert.is(await page.locator('#entities li').count(), count);
    await page.fill('#find', 'HUB');
    assert.equal(await page.locator('#entities li').allTextContents(), ['Hub']);
    await page.click('#entities li button');
    await page.waitForSelector('#entity .facts:has-text("Hub leads to Place")');
  }),
);

check(
  'says what is wrong: no such graph, a bad filter, a token that changed, a server that is gone',
  () =>
    visiting(
      browser,
      async ({ page, ...here }) => {
        await buildPeople(here);
        await signIn(page);
        assert.is(await page.innerText('#problem'), 'The graph nowhere does not exist.');
        await page.click('#options summary');
        await page.fill('#filter', 'year >');
        await ask(page, question);
        assert.match(await page.innerText('#problem'), /filter/);
        await page.fill('#filter', '');
        await ask(page, question);
        assert.is(await page.isVisible('#problem'), false);
        await here.running.engine.graph.deleteGraph('people');
        await ask(page, question);
        assert.match(await page.innerText('#problem'), 'The graph people does not exist');
        await page.evaluate("sessionStorage.setItem(Object.keys(sessionStorage)[0], 'old')");
        await page.reload();
        await page.waitForSelector('#sign-in:visible');
        assert.match(await page.innerText('#problem'), 'refuses this token');
        await signIn(page);
        await here.running.host.close(0);
        await page.fill('#question', question);
        await page.click('#send');
        await page.waitForSelector('#problem:has-text("The server cannot be reached")');
      },
      '#graph=nowhere&question=Who',
    ),
);

check('a pass in the address is taken out of it, and answers what the address asks', async () => {
  const start = `pass.${Math.floor(Date.now() / 1000) + 600}`;
  const pass = `${start}.${createHmac('sha256', token).update(start).digest('base64url')}`;
  const asked = new URLSearchParams({ graph: 'people', question, passage_top_k: '1' }).toString();
  await visiting(
    browser,
    async ({ page, ...here }) => {
      await page.waitForSelector('main:visible');
      assert.is(page.url(), `${here.running.host.url}/graph#${asked}`);
      await buildPeople(here);
      await page.reload();
      await page.waitForSelector('#answer-text:has-text("Lovelace")');
      assert.is(await page.locator('#passages ol > li').count(), 1);
      assert.is(await page.inputValue('#passages-wanted'), '1');
      await page.goto(`${here.running.host.url}/graph#pass=${pass.slice(0, -2)}`);
      await page.waitForSelector('#sign-in:visible');
      assert.is(page.url(), `${here.running.host.url}/graph#`);
    },
    `#${asked}&pass=${pass}`,
  );
});

check('works with the keyboard alone, on a small screen, in the dark', () =>
  visiting(browser, async ({ page, ...here }) => {
    await buildPeople(here);
    await page.setViewportSize({ width: 360, height: 640 });
    const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await back();
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    assert.is.not(await back(), light);
    await page.waitForSelector('#token:focus');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#question:focus');
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#passage-2');
    const seen = new Set<string>();
    for (let at = 0; at < 40; at++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>(
        'document.activeElement.ariaLabel ?? document.activeElement.textContent',
      );
      seen.add(focused.trim());
      if (focused.trim() === '3 entities') await page.keyboard.press('Enter');
    }
    for (const label of ['Passage 1', 'Step', 'Fit', 'Find an entity', 'Ada Lovelace']) {
      assert.ok(seen.has(label), `${label} is reached by Tab: ${[...seen].join(' | ')}`);
    }
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    const unnamed =
      await page.evaluate(`[...document.querySelectorAll('button, input, select, textarea')]
      .filter(({ ariaLabel, labels, textContent }) =>
        !ariaLabel && textContent.trim() === '' && labels.length === 0).length`);
    assert.is(unnamed, 0);
  }),
);

test.run();
