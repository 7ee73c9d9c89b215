import { UsageError } from '@trove/commands';

const seconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 60 * 60,
  d: 24 * 60 * 60,
};

/** Parses `90d`, `24h`, `15m` or `30s` as seconds. `option` names it in the error. Throws a UsageError. */
export function parseDuration(option: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const factor = seconds[unit];
  if (factor === undefined)
    throw new UsageError(`${option} must be a number with s, m, h or d, such as 90d`);
  return Number(count) * factor;
}
