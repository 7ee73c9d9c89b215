import type { TroveErrorOptions } from '@trove/core';

/** An error message with its remedies. */
export interface GitFailure {
  readonly detail: string;
  readonly suggestions: readonly string[];
  /** Whether a retry may succeed. Default: false. */
  readonly retryable?: boolean;
}

interface KnownFailure {
  readonly pattern: RegExp;
  readonly detail: (match: RegExpExecArray) => string;
  readonly suggestion: string;
}

const knownFailures: readonly KnownFailure[] = [
  {
    pattern: /not a git repository/i,
    detail: () => 'There is no git repository in this folder.',
    suggestion: 'Add the folder that contains .git, or a bare repository.',
  },
  {
    pattern: /unknown repository extension|Expected git repo version/i,
    detail: () => 'The installed git does not know the format of the repository.',
    suggestion: 'Install a newer version of git.',
  },
  {
    pattern: /permission denied|EACCES/i,
    detail: () => 'Trove may not read a part of the repository.',
    suggestion: 'Allow the user that runs Trove to read the whole .git folder.',
  },
];

/** Translates the error output of git into a message for users. */
export function failureOf(stderr: string): GitFailure {
  for (const { pattern, detail, suggestion } of knownFailures) {
    const match = pattern.exec(stderr);
    if (match !== null) return { detail: detail(match), suggestions: [suggestion] };
  }
  const [line = ''] = stderr.split('\n').filter((each) => /^(fatal|error):/.test(each));
  const reason = line.replace(/^\w+: /, '').slice(0, 300);
  return {
    detail: reason === '' ? 'git ended with an error.' : `git failed: ${reason}`,
    suggestions: ['The repository may be damaged. Run `git fsck` in it.'],
  };
}

/** Returns the failure for a system error code at the start of git. */
export function startFailureOf(code = 'unknown'): GitFailure {
  return code === 'ENOENT'
    ? {
        detail: 'The program git is not installed on this machine or not in the PATH of Trove.',
        suggestions: ['Install git (apt install git, brew install git), then try again.'],
      }
    : { detail: `git cannot be started: ${code}.`, suggestions: [] };
}

/** Returns the failure for a git process without output. */
export function timeoutFailure(ms: number): GitFailure {
  return {
    detail: `git was stopped because it gave no output for ${ms / 1000} seconds.`,
    suggestions: [
      'Check the disk of the repository, and that its .git folder contains only regular files.',
    ],
    retryable: true,
  };
}

export type GitErrorFactory = (
  code: 'connector_unhealthy' | 'not_found' | 'path_not_allowed',
  detail: string,
  options?: TroveErrorOptions,
) => Error;
