import { UsageError } from '@trove/commands';
import type { AddRequest } from '@trove/client';

type ScheduleChange = NonNullable<AddRequest['schedule']>;

/** Options of commands that set the schedule of a source. */
export const scheduleArgs = {
  every: {
    type: 'string',
    valueHint: 'TIME',
    description: 'Sync at this interval, from 15m to 30d',
  },
  cron: {
    type: 'string',
    valueHint: 'FIELDS',
    description: 'Sync at the times of a cron expression, in the time zone of the server',
  },
  hours: {
    type: 'string',
    valueHint: 'HH:MM-HH:MM',
    description: 'Limit the schedule to a part of the day',
  },
} as const;

/** Returns the change that the options make, or undefined. Throws a UsageError. */
export function scheduleChangeOf(args: {
  text(name: keyof typeof scheduleArgs): string | undefined;
}): ScheduleChange | undefined {
  const [every, cron, hours] = [args.text('every'), args.text('cron'), args.text('hours')];
  if (every !== undefined && cron !== undefined)
    throw new UsageError('--every and --cron cannot be combined');
  if (every === undefined && cron === undefined && hours === undefined) return undefined;
  return {
    ...(every === undefined ? {} : { every, cron: null }),
    ...(cron === undefined ? {} : { cron, every: null }),
    ...(hours === undefined ? {} : { hours }),
  };
}
