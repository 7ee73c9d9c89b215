import { errorCatalogue, type ErrorEntry } from '@trove/core';
import { code, page, table } from './markdown.js';
import { generated } from './generated.js';

export function errorsPage(): string {
  const all = Object.entries<ErrorEntry>(errorCatalogue);
  const answers = all.filter(([, { status }]) => status > 0);
  const ofJobs = all.filter(([, { status }]) => status === 0);
  const byStatus = answers.sort(([, a], [, b]) => a.status - b.status);
  return page(
    generated,
    '# Errors',
    'Every error has a stable `code`, a `detail` for people and `suggestions` of what to do. Programs should act on ' +
      'the code and never parse the detail. Over HTTP the three are the body of the answer, with the status below; in code ' +
      'they are the members of a `TroveError`.',
    table(
      ['Code', 'HTTP', 'Cause', 'What to do'],
      byStatus.map(([name, { status, cause, remedy }]) => [
        code(name),
        String(status),
        cause,
        remedy,
      ]),
    ),
    '## In jobs only',
    "These appear in a job's `error`, or with the objects that failed; no request is answered with them.",
    table(
      ['Code', 'Cause', 'What to do'],
      ofJobs.map(([name, { cause, remedy }]) => [code(name), cause, remedy]),
    ),
    '## Below HTTP',
    'Whatever is not valid HTTP never reaches a route. It is answered in the same envelope, with the status that HTTP ' +
      'defines: 400 `validation_error` for what cannot be parsed, 408 `timed_out` for what arrives too slowly, 431 ' +
      '`payload_too_large` for headers that are too large.',
  );
}
