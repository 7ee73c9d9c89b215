import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Browser, PageVisit } from '@trove/test-support/browser.js';
import type { Plugin } from '@trove/core';
import { makeWorld, removeWorld, startReal, type Running, type World } from './real-server.js';
import { token } from './server.js';

/** A page of the console, and the server behind it. */
export interface ConsoleVisit extends PageVisit {
  readonly world: World;
  readonly running: Running;
  /** Opens another page of the console by its fragment: `#/sources`. */
  open(fragment: string): Promise<void>;
}

interface ConsoleOptions {
  /** Prepares the server before the page is opened. */
  readonly prepare?: (server: {
    readonly world: World;
    readonly running: Running;
  }) => Promise<unknown>;
  readonly plugins?: readonly Plugin[];
  /** Default true. */
  readonly signsIn?: boolean;
  /** The fragment of the first page. Default: none. */
  readonly fragment?: string;
}

const refusal = /status of 4\d\d|ERR_CONNECTION/;
const phone = { width: 360, height: 740 };

/**
 * Opens the console of a server with its own world. Fails if a page loads foreign content, or reports errors such as
 * violations of the content security policy.
 */
export async function visitConsole(
  browser: Browser,
  { prepare, plugins = [], signsIn = true, fragment = '' }: ConsoleOptions,
  use: (visit: ConsoleVisit) => Promise<void>,
): Promise<void> {
  const world = await makeWorld();
  const running = await startReal(world, {}, { plugins });
  try {
    await prepare?.({ world, running });
    await browser.withPage(`${running.host.url}/${fragment}`, async (visit) => {
      const { page, elsewhere, errors } = visit;
      if (signsIn) await signIn(page);
      await use({
        ...visit,
        world,
        running,
        open: async (next) => void (await page.evaluate(`location.hash = ${JSON.stringify(next)}`)),
      });
      assert.equal(elsewhere, []);
      assert.equal(
        errors.filter((error) => !refusal.test(error)),
        [],
      );
    });
  } finally {
    await running.close();
    await removeWorld(world);
  }
}

export async function signIn(page: Page): Promise<void> {
  await page.fill('#token', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav[aria-label="Pages"]');
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks the current page for barriers in both themes, and for horizontal scrolling on a phone. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await page.evaluate<readonly string[]>(
      `axe.run(document).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    );
    assert.equal(found, [], `${name}, ${colorScheme}`);
  }
  const wide = page.viewportSize();
  await page.setViewportSize(phone);
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(overflow <= 0, `${name} is ${overflow} px too wide for a phone`);
  if (wide !== null) await page.setViewportSize(wide);
}

/** Adds the folder of documents, and waits until it is indexed. */
export async function addDocs({ world, running }: Pick<ConsoleVisit, 'world' | 'running'>) {
  await running.engine.add({ target: world.docs, process: true });
}
