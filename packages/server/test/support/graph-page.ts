import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { maxWaitMs } from '@trove/test-support/waiting.js';
import type { ConsoleVisit } from './console-page.js';

export const question = 'Which machine was designed by the colleague of Ada Lovelace?';
export const ada = 'Ada Lovelace worked with Charles Babbage.';
export const babbage = 'Charles Babbage designed the Analytical Engine.';

type Here = Pick<ConsoleVisit, 'world' | 'running'>;

/** A graph of two files of a source. */
export async function buildPeople({ world, running }: Here) {
  const notes = join(world.root, 'notes');
  await mkdir(notes);
  await writeFile(join(notes, 'ada.md'), `# Notes\n\nOf letters.\n\n${ada}\n\nThe end.\n`);
  await writeFile(join(notes, 'engine.md'), `# Engines\n\n${babbage}\n`);
  await running.engine.add({ target: notes, process: true });
  await running.engine.graph.importSources({ sources: [notes], graph_name: 'people' });
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#question', text);
  await page.click('.graph-form button:text("Ask")');
  await page.waitForSelector('#answer-text, main [role=alert]');
}

const maxClicks = 10;
const shownWithinMs = 3000;
const drawing = "document.querySelector('#canvas')._cyreg.cy";

/** Clicks on an entity in the drawing until it is shown. The drawing may move before a click arrives. */
export async function clickEntity(page: Page, name: string): Promise<void> {
  const heading = page.locator(`#entity h3:text-is(${JSON.stringify(name)})`);
  await page.waitForSelector('#canvas canvas');
  for (let clicks = 1; clicks < maxClicks && !(await heading.isVisible()); clicks++) {
    await clickPosition(page, name);
    await heading.waitFor({ timeout: shownWithinMs }).catch(() => undefined);
  }
  await heading.waitFor();
}

/** Clicks where an entity is, once its position is the same in two frames. */
async function clickPosition(page: Page, name: string): Promise<void> {
  const selector = JSON.stringify(`[name = "${name}"]`);
  const position = await page.evaluate<{ x: number; y: number }>(`new Promise((resolve) => {
    let last = '';
    const look = () => {
      const now = ${drawing}.nodes(${selector}).renderedPosition();
      if (JSON.stringify(now) === last) return resolve(now);
      last = JSON.stringify(now);
      requestAnimationFrame(look);
    };
    look();
  })`);
  await page.locator('#canvas').click({ position });
}

/** Waits until the drawing shows the given number of entities. Throws on timeout. */
export async function drawn(page: Page, count: number): Promise<void> {
  await page.waitForSelector('#canvas canvas');
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
