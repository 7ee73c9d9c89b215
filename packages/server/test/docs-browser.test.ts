// test-timeout: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from '@trove/test-support/browser.js';
import { testUnless } from '@trove/test-support/skips.js';
import { makeWorld, removeWorld, startReal } from './support/real-server.js';
import { token } from './support/server.js';

const test = suite('the documentation page in a browser');
const check = testUnless(noBrowser, test);

check('signs in, shows an operation, and calls it with the token', async () => {
  const world = await makeWorld();
  const { host, close } = await startReal(world);
  const browser = await startBrowser();
  try {
    await browser.withPage(`${host.url}/docs`, async ({ page, elsewhere, errors }) => {
      await page.fill('#token', 'not the token');
      await page.click('#sign-in button');
      await page.waitForSelector('#problem:text("refuses this token")');
      await page.fill('#token', token);
      await page.click('#sign-in button');
      await page.click('#operations-Server-status .opblock-summary-control');
      await page.click('#operations-Server-status .try-out__btn');
      const answer = page.waitForResponse(`${host.url}/v1/status`);
      await page.click('#operations-Server-status .execute');
      assert.is((await answer).status(), 200);
      const shown = page.locator('#operations-Server-status .live-responses-table');
      await shown.locator('.response-col_status:text("200")').waitFor();
      assert.match(await shown.innerText(), /"connectors":/);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.waitForSelector('html:not(.dark-mode)');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForSelector('html.dark-mode');
      await page.click('nav a:text("Sources")');
      await page.waitForSelector('h1:text("Sources")');
      await page.click('nav a:text("API")');
      await page.waitForSelector('.opblock-summary-control');
      assert.equal(elsewhere, []);
      // The browser reports two 401 responses: before signing in, and with a wrong token.
      assert.equal(
        errors.filter((text) => !text.includes('401')),
        [],
      );
      assert.is(errors.length, 2);
    });
  } finally {
    await browser.close();
    await close();
    await removeWorld(world);
  }
});

test.run();
