import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Browser, PageVisit } from '@trove/test-support/browser.js';
import { maxWaitMs } from '@trove/test-support/waiting.js';
import { makeWorld, removeWorld, startReal, type Running, type World } from './real-server.js';
import { token } from './server.js';

export const question = 'Which machine was designed by the colleague of Ada Lovelace?';
export const ada = 'Ada Lovelace worked with Charles Babbage.';
export const babbage = 'Charles Babbage designed the Analytical Engine.';

interface Here extends PageVisit {
  readonly world: World;
  readonly running: Running;
}

/**
 * Opens the graph page of a server in a browser. Fails if it loads foreign content or reports errors other than
 * refusals.
 */
export async function visiting(
  browser: Browser,
  use: (here: Here) => Promise<void>,
  fragment = '',
): Promise<void> {
  const world = await makeWorld();
  const running = await startReal(world);
  try {
    const notes = join(world.root, 'notes');
    await mkdir(notes);
    await writeFile(join(notes, 'ada.md'), `# Notes\n\nOf letters.\n\n${ada}\n\nThe end.\n`);
    await writeFile(join(notes, 'engine.md'), `# Engines\n\n${babbage}\n`);
    await browser.withPage(`${running.host.url}/graph${fragment}`, async (visit) => {
      await visit.page.emulateMedia({ reducedMotion: 'reduce' });
      await use({ ...visit, world, running });
      assert.equal(visit.elsewhere, []);
      const refusal = /status of 4\d\d|ERR_CONNECTION/;
      assert.equal(
        visit.errors.filter((error) => !refusal.test(error)),
        [],
      );
    });
  } finally {
    await running.close();
    await removeWorld(world);
  }
}

/** A graph of two files of a source. */
export async function buildPeople({ world, running }: Pick<Here, 'world' | 'running'>) {
  const notes = join(world.root, 'notes');
  await running.engine.add({ target: notes, process: true });
  await running.engine.graph.importSources({ sources: [notes], graph_name: 'people' });
}

export async function signIn(page: Page): Promise<void> {
  await page.fill('#token', token);
  await page.click('#sign-in button');
  await page.waitForSelector('main:visible');
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#question', text);
  await page.click('#send:text("Ask")');
  await page.waitForSelector('main[aria-busy="false"]');
}

const drawing = "document.querySelector('#canvas')._cyreg.cy";

/** Clicks on an entity in the drawing. */
export async function clickEntity(page: Page, name: string): Promise<void> {
  const selector = JSON.stringify(`[name = "${name}"]`);
  const position = await page.evaluate<{ x: number; y: number }>(
    `${drawing}.nodes(${selector}).renderedPosition()`,
  );
  await page.locator('#canvas').click({ position });
}

/** Waits until the drawing shows the given number of entities. Throws on timeout. */
export async function drawn(page: Page, count: number): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const end = performance.now() + ${maxWaitMs};
    const look = () => {
      const { length } = ${drawing}.nodes(':visible');
      if (length === ${count}) resolve();
      else if (performance.now() > end) reject(new Error(length + ' entities, not ${count}'));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}
