import type { Answer, ErrorRule } from '@trove/connector-kit/http';

export const scope = 'https://www.googleapis.com/auth/drive.readonly';

/** Errors that share the status 403 and differ by their reason. */
export const errors: readonly ErrorRule[] = [
  {
    when: because('userRateLimitExceeded', 'rateLimitExceeded', 'sharingRateLimitExceeded'),
    do: 'wait',
  },
  {
    when: because('dailyLimitExceeded', 'quotaExceeded'),
    do: 'wait',
    say: 'The daily quota of the Google project is used up.',
  },
  {
    when: because('insufficientPermissions'),
    do: 'fail',
    code: 'missing_scope',
    say: `The login lacks the scope ${scope}. Log in again with this scope.`,
  },
  {
    when: because('accessNotConfigured'),
    do: 'fail',
    code: 'api_disabled',
    say: 'The Google Drive API is not enabled in the project of the client. Enable it in the Google Cloud console.',
  },
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

/** Matches errors with one of these reasons. */
function because(...reasons: readonly string[]): (answer: Answer) => boolean {
  return ({ body }) => {
    const { error }: { readonly error?: { readonly errors?: readonly unknown[] } } = Object(body);
    const [first] = error?.errors ?? [];
    const { reason }: { readonly reason?: string } = Object(first);
    return reason !== undefined && reasons.includes(reason);
  };
}

/** A change token that is too old, or that belongs to another drive. */
export const expiredToken: readonly ErrorRule[] = [
  { when: { status: 410 }, do: 'expired' },
  { when: { status: 400, body: { 'error.errors.0.location': 'pageToken' } }, do: 'expired' },
];
