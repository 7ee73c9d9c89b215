/** The trigger of jobs that a schedule queued. */
export const scheduleTrigger = 'schedule';
