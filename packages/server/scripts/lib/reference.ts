import { operations } from '@trove/operations';
import { commandPage, manualPage } from './command-pages.js';
import { configurationPage } from './configuration-page.js';
import { errorsPage } from './errors-page.js';
import { httpPage } from './http-page.js';

/** Generates the pages, by their paths in the repository. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/http.md': httpPage(operations),
    'docs/reference/trove-server.md': await commandPage(),
    'packages/server/man/trove-server.1': await manualPage(),
  };
}
