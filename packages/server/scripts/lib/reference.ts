import { routes } from '../../src/routes/table.js';
import { configurationPage } from './configuration-page.js';
import { errorsPage } from './errors-page.js';
import { httpPage } from './http-page.js';

/** The generated pages of docs/reference, by file name. */
export function referencePages(): Record<string, string> {
  return {
    'configuration.md': configurationPage(),
    'errors.md': errorsPage(),
    'http.md': httpPage(routes),
  };
}
