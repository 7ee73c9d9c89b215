import { Guard, type GuardOptions } from '../../src/plugins/guard.js';

/** Creates a guard of a plugin whose instance is `{ value: 1 }`. */
export function testGuard(
  options: Partial<GuardOptions<{ value: number }>> = {},
): Guard<{ value: number }> {
  return new Guard({
    name: 'connector test',
    errorCode: 'connector_unhealthy',
    secrets: [],
    start: async () => ({ value: 1 }),
    close: async () => {},
    ...options,
  });
}
