import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  errorCatalogue,
  describeError,
  isErrorCode,
  isTroveError,
  TroveError,
} from '../src/index.js';

const test = suite('errors');

test('every code is well-formed and has a cause and a remedy', () => {
  const entries = Object.entries(errorCatalogue);
  assert.ok(entries.length > 30);
  for (const [code, { status, cause, remedy }] of entries) {
    assert.match(code, /^[a-z]+(?:_[a-z]+)*$/);
    assert.ok(status === 0 || (status >= 400 && status < 600), code);
    for (const text of [cause, remedy]) {
      assert.match(text, /^[A-Z`].*\.$/s, code);
      assert.ok(text.length < 160, code);
      // Callers over HTTP or from a program have no command line.
      assert.not.match(text, /\btrove [a-z]/, code);
    }
  }
});

test('codes keep the HTTP statuses that clients rely on', () => {
  const statuses = {
    unauthorized: 401,
    validation_error: 422,
    not_found: 404,
    sync_already_running: 409,
    connector_removing: 409,
    object_too_large_for_cat: 400,
    is_directory: 400,
    range_unsupported: 400,
    density_unsupported: 400,
    tail_unsupported: 400,
    locator_not_found: 404,
    connector_unhealthy: 502,
    internal_error: 500,
    method_not_allowed: 405,
    unsupported_media_type: 415,
    payload_too_large: 413,
    not_available: 501,
    credential_error: 400,
    connector_already_registered: 409,
    remove_requires_connector_root: 400,
    since_unsupported: 400,
    upload_invalid: 400,
    path_not_allowed: 403,
    embedding_unavailable: 502,
    overloaded: 503,
  } as const;
  for (const [code, status] of Object.entries(statuses)) {
    assert.ok(isErrorCode(code), code);
    assert.is(errorCatalogue[code].status, status, code);
  }
});

test('an error carries its code, detail, suggestions and cause', () => {
  const cause = new Error('disk');
  const error = new TroveError('overloaded', 'Too busy.', {
    cause,
    retryable: true,
    retryAfterMs: 1500,
  });
  assert.is(error.code, 'overloaded');
  assert.is(error.detail, 'Too busy.');
  assert.is(error.message, 'Too busy.');
  assert.is(error.cause, cause);
  assert.is(error.retryable, true);
  assert.is(error.retryAfterMs, 1500);
  assert.equal(
    error.suggestions,
    [errorCatalogue.overloaded.remedy],
    'the remedy, when none were given',
  );
  assert.ok(error instanceof Error && String(error) === 'TroveError: Too busy.');
});

test('an error is not retryable and has no cause by default', () => {
  const error = new TroveError('not_found', 'Gone.', { suggestions: [] });
  assert.is(error.retryable, false);
  assert.is(error.retryAfterMs, undefined);
  assert.is('cause' in error, false);
  assert.equal(error.suggestions, []);
});

test('describeError omits the general remedy of the code', () => {
  const plain = new TroveError('connector_unhealthy', 'It does not answer');
  assert.is(describeError(plain), 'It does not answer.');
  const suggestions = ['Check the port', 'Is it on?'];
  const advised = new TroveError('connector_unhealthy', 'It does not answer.', { suggestions });
  assert.is(describeError(advised), 'It does not answer. Check the port. Is it on?');
  assert.is(describeError(new Error('broken')), 'broken.');
  assert.is(describeError('broken!'), 'broken!');
});

test('isTroveError recognises errors of another copy of the package', async () => {
  const copy = new URL('../dist/errors.js?copy', import.meta.url);
  const other: typeof import('../src/errors.js') = await import(copy.href);
  const foreign = new other.TroveError('not_found', 'Gone.');
  assert.is(foreign instanceof TroveError, false, 'these are two copies');
  assert.ok(isTroveError(foreign));
  assert.ok(other.isTroveError(new TroveError('not_found', 'Gone.')));
});

test('isTroveError and isErrorCode reject other values', () => {
  for (const value of [
    null,
    undefined,
    'not_found',
    new Error('x'),
    { code: 'not_found' },
    () => {},
  ]) {
    assert.is(isTroveError(value), false);
  }
  for (const value of ['toString', '__proto__', '', 'NOT_FOUND', 404, null]) {
    assert.is(isErrorCode(value), false);
  }
});

test.run();
