import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';

interface Props {
  readonly root: string;
  /** The configuration of the source, which has the schedule. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly onDone: () => void;
}

const intervals = [
  ['', 'only when asked'],
  ['15m', 'every 15 minutes'],
  ['1h', 'every hour'],
  ['6h', 'every 6 hours'],
  ['1d', 'every day'],
  ['7d', 'every week'],
] as const;

/** Chooses when a source is synced. */
export function ScheduleForm({ root, config, onDone }: Props): JSX.Element {
  const client = useClient();
  const [every, setEvery] = useState(textOf(config['every']));
  const [cron, setCron] = useState(textOf(config['cron']));
  const [hours, setHours] = useState(textOf(config['hours']));
  const [watch, setWatch] = useState(config['watch'] === true);
  const { run, isRunning, error } = useAction(onDone);
  const isListed = intervals.some(([value]) => value === every);
  const submit = (event: Event): void => {
    event.preventDefault();
    const schedule = {
      every: cron === '' && every !== '' ? every : null,
      cron: cron === '' ? null : cron,
      hours: hours === '' ? null : hours,
      watch: watch ? true : null,
    };
    void run(() => client.connectors.scheduleConnector({ body: { target: root, ...schedule } }));
  };
  return (
    <form class="schedule" onSubmit={submit}>
      <label>
        Sync{' '}
        <select value={every} onChange={(event) => setEvery(event.currentTarget.value)}>
          {intervals.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
          {!isListed && <option value={every}>every {every}</option>}
        </select>
      </label>
      <label>
        Only between{' '}
        <input
          size={12}
          placeholder="22:00-06:00"
          value={hours}
          onInput={(event) => setHours(event.currentTarget.value.trim())}
        />
      </label>
      <label>
        Or by cron expression{' '}
        <input
          size={14}
          placeholder="0 3 * * 1"
          value={cron}
          onInput={(event) => setCron(event.currentTarget.value)}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={watch}
          onChange={(event) => setWatch(event.currentTarget.checked)}
        />{' '}
        Sync when the source changes
      </label>
      <button type="submit" disabled={isRunning}>
        Save
      </button>
      {error !== undefined && <Failure error={error} />}
    </form>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
