// test-timeout: 300
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser, type Browser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { visitConsole } from './support/console-page.js';
import { token } from './support/server.js';

const test = suite('the console with the keyboard alone');
const check = testUnless(noBrowser, test);
const maxStops = 80;
let browser: Browser;

test.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
test.after(async () => {
  if (noBrowser === null) await browser.close();
});

/** Presses Tab until an element with this name has the focus, which must be visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  while (seen.length < maxStops) {
    await page.keyboard.press('Tab');
    const [focused = '', outline] = await page.evaluate<string[]>(`(() => {
      const { activeElement: element } = document;
      const label = element.labels?.[0]?.textContent;
      const name = element.ariaLabel ?? label ?? element.textContent;
      return [name.trim(), getComputedStyle(element).outlineStyle];
    })()`);
    seen.push(focused);
    if (focused !== name) continue;
    assert.is.not(outline, 'none', `the focus of ${name} is visible`);
    return;
  }
  assert.unreachable(`${name} is not reached: ${seen.join(' | ')}`);
}

check('signs in, adds a folder, searches, reads and schedules', () =>
  visitConsole(browser, { signsIn: false }, async ({ page, world, running }) => {
    await page.waitForSelector('#token:focus');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#query:focus');
    await tabTo(page, 'Add a source');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#address');
    await tabTo(page, 'Path');
    await page.keyboard.type(world.docs);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.badge:text("can be reached")');
    await tabTo(page, 'Add and index');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.card .badge:text("up to date")');

    await page.keyboard.press('Shift+Tab');
    await tabTo(page, 'Search');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#query:focus');
    await page.keyboard.type('brown fox');
    await page.waitForSelector('.hit mark');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.markdown .here');

    await page.evaluate('location.hash = "#/sources"');
    await page.waitForSelector('.card h2 a');
    await tabTo(page, world.docs);
    await page.keyboard.press('Enter');
    await page.waitForSelector('summary:text("Schedule")');
    await tabTo(page, 'Schedule');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dd:has-text("next sync")');
    const [source] = (await running.engine.status()).connectors;
    assert.type(source?.next_sync_at, 'string');
  }),
);

check('asks before it removes a source, and returns the focus', () =>
  visitConsole(
    browser,
    {
      prepare: ({ world, running }) => running.engine.add({ target: world.docs, process: true }),
      fragment: '#/sources',
    },
    async ({ page, running }) => {
      await page.waitForSelector('.card');
      await tabTo(page, 'Remove');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog[open]', { state: 'detached' });
      assert.is(await page.evaluate('document.activeElement.textContent'), 'Remove');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Remove the source');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.add-source');
      assert.equal((await running.engine.status()).connectors, []);
    },
  ),
);

test.run();
