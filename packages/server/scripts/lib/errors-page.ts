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
    'Every error has a stable `code`, a `detail` for people and `suggestions`. Programs should use the code and never parse ' +
      'the detail. Over HTTP, these three are the body of the response with the status below. In code, they are members of a ' +
      '`TroveError`.',
    table(
      ['Code', 'HTTP', 'Cause', 'Remedy'],
      byStatus.map(([name, { status, cause, remedy }]) => [
        code(name),
        String(status),
        cause,
        remedy,
      ]),
    ),
    '## In jobs only',
    "These codes appear in a job's `error` or its failed objects, never in the response to a request.",
    table(
      ['Code', 'Cause', 'Remedy'],
      ofJobs.map(([name, { cause, remedy }]) => [code(name), cause, remedy]),
    ),
    '## Below HTTP',
    'Invalid HTTP never reaches a route. The response has the same envelope and the status that HTTP defines: 400 ' +
      '`validation_error` for a request that cannot be parsed, 408 `timed_out` for one that arrives too slowly, 431 ' +
      '`payload_too_large` for headers that are too large.',
  );
}
