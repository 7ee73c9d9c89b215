import type { LoginLimitState } from '@trove/core';
import { LimitStore } from '@trove/runtime';

/** Opens the limits of a login that processes share in a file. */
export function openLimitStore(file: string): LoginLimitState {
  return new LimitStore(file);
}
