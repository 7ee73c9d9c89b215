import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { chromium, type BrowserContext, type Page } from 'playwright-core';

import { skipReason } from './skips.js';

const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  )
  .find(isExecutable);
/** For starting the browser and for each wait in it. */
const limitMs = 120_000;
/** Keeps the browser's services from loading anything but the requested pages. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The reason why `startBrowser` cannot run, or null. */
export const noBrowser = executable === undefined ? skipReason('Chromium is not installed') : null;

/** The requests and errors of a page. */
export interface PageVisit {
  readonly page: Page;
  /** URLs of requests to other hosts than the server. */
  readonly elsewhere: readonly string[];
  /** Errors that the page reported. */
  readonly errors: readonly string[];
}

/** A browser with its own profile. */
export interface Browser {
  /** Opens a page of a server. */
  withPage(url: string, test: (visit: PageVisit) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function startBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'trove-browser-'));
  // Processes of the browser may still write after its close.
  const removeProfile = () =>
    rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  try {
    const browser = await chromium.launchPersistentContext(profile, {
      ...(executable === undefined ? {} : { executablePath: executable }),
      args: flags,
      timeout: limitMs,
    });
    return {
      withPage: (url, test) => withPage(browser, url, test),
      close: async () => {
        await browser.close();
        await removeProfile();
      },
    };
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

async function withPage(
  browser: BrowserContext,
  url: string,
  test: (visit: PageVisit) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(limitMs);
    const elsewhere: string[] = [];
    const errors: string[] = [];
    const { origin } = new URL(url);
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(`${origin}/`) || request.url().startsWith('data:');
      if (!isOwn) elsewhere.push(request.url());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(url);
    await test({ page, elsewhere, errors });
  } finally {
    await page.close();
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
