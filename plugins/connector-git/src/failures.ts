import type { TroveErrorOptions } from '@trove/core';

/** What went wrong, and what to do about it. */
export interface GitFailure {
  readonly detail: string;
  readonly suggestions: readonly string[];
  /** Whether the same may succeed later. Default false. */
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
    suggestion: 'Give the folder that has .git in it, or a bare repository.',
  },
  {
    pattern: /unknown repository extension|Expected git repo version/i,
    detail: () => 'The repository has a format that this git does not know.',
    suggestion: 'Install a newer git for the user that Trove runs as.',
  },
  {
    pattern: /permission denied|EACCES/i,
    detail: () => 'A part of the repository may not be read.',
    suggestion: 'Give the user that Trove runs as the right to read all of its .git folder.',
  },
];

/** What git says when it fails, in words for those who do not know its insides. */
export function failureOf(stderr: string): GitFailure {
  for (const { pattern: sign, detail, suggestion } of knownFailures) {
    const match = sign.exec(stderr);
    if (match !== null) return { detail: detail(match), suggestions: [suggestion] };
  }
  const [line = ''] = stderr.split('\n').filter((each) => /^(fatal|error):/.test(each));
  const reason = line.replace(/^\w+: /, '').slice(0, 300);
  return {
    detail: reason === '' ? 'git ended with an error.' : `git says: ${reason}`,
    suggestions: ['The repository may be damaged: `git fsck` in it says more.'],
  };
}

/** git itself could not be started, for which the system gave this code. */
export function startFailureOf(code = 'unknown'): GitFailure {
  return code === 'ENOENT'
    ? {
        detail: 'The program git is not installed on this machine, or not on the path of Trove.',
        suggestions: ['Install git (apt install git, brew install git), then try again.'],
      }
    : { detail: `git cannot be started: ${code}.`, suggestions: [] };
}

/** git gave no output for too long. */
export function timeoutFailure(ms: number): GitFailure {
  return {
    detail: `git was stopped, because it gave no output for ${ms / 1000} seconds.`,
    suggestions: [
      'Check the disk of the repository, and that its .git folder has regular files only.',
    ],
    retryable: true,
  };
}

export type GitErrorFactory = (
  code: 'connector_unhealthy' | 'not_found' | 'path_not_allowed',
  detail: string,
  options?: TroveErrorOptions,
) => Error;
