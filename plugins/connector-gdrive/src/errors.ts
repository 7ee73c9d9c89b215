import { because, googleErrors, type ErrorRule } from '@trove/connector-kit/http';

export const scope = 'https://www.googleapis.com/auth/drive.readonly';

/** Errors that share the status 403 and differ by their reason. */
export const errors: readonly ErrorRule[] = [
  ...googleErrors({ api: 'Google Drive API', scope }),
  {
    when: because('exportSizeLimitExceeded'),
    do: 'fail',
    code: 'export_too_large',
    say: 'Google exports no document above 10 MB. Split it, or store it as a file.',
  },
  {
    when: because('cannotExportFile', 'cannotDownloadFile'),
    do: 'fail',
    code: 'download_forbidden',
    say: 'The owner does not allow downloads.',
  },
  {
    when: { body: { incompleteSearch: true } },
    do: 'incomplete',
    say: 'Google Drive searched only a part of the files. Nothing that is missing counts as deleted.',
  },
];

/** A change token that is too old, or that belongs to another drive. */
export const expiredToken: readonly ErrorRule[] = [
  { when: { status: 410 }, do: 'expired' },
  { when: { status: 400, body: { 'error.errors.0.location': 'pageToken' } }, do: 'expired' },
];
