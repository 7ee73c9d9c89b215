import { TroveError, type Infer } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { addRequestSchema } from '../../api/schemas.js';
import { digest } from '../ids.js';
import {
  arePluginConfigsEqual,
  changeConfig,
  hasSchedule,
  splitSyncSettings,
  syncSettingsOf,
  type SourceConfig,
} from '../schedules/sync-settings.js';

type ConfigRequest = Pick<Infer<typeof addRequestSchema>, 'config' | 'schedule' | 'update'>;

/** A change of a source's configuration. */
export interface ConfigChange {
  readonly config: SourceConfig | null;
  /** Whether only the schedule or `watch` changes, so the indexed objects stay valid. */
  readonly isScheduleOnly: boolean;
}

/**
 * Returns the change that a request makes to a stored configuration, or null. A request without `update` need not repeat
 * the schedule.
 */
export function configChangeOf(
  { config, schedule, update }: ConfigRequest,
  stored: SourceConfig | null,
): ConfigChange | null {
  const given = config ?? stored;
  const isScheduleKept = !update && Object.keys(syncSettingsOf(config)).length === 0;
  const kept = isScheduleKept ? syncSettingsOf(stored) : {};
  const base = Object.keys(kept).length === 0 ? given : { ...given, ...kept };
  const desired = schedule === null ? base : changeConfig(base, schedule);
  const isEqual = digest(sorted(desired)) === digest(sorted(stored));
  return isEqual
    ? null
    : { config: desired, isScheduleOnly: arePluginConfigsEqual(desired, stored) };
}

/** Throws `config_invalid` for wrong settings of syncs, and for a schedule of uploaded files. */
export function assertSchedulable({
  config,
  tree,
}: Pick<ConnectorRecord, 'config' | 'tree'>): void {
  splitSyncSettings(config);
  if (tree === null || !hasSchedule(config)) return;
  throw new TroveError('config_invalid', 'Uploaded files cannot have a schedule', {
    suggestions: ['Run `trove add` on a schedule on the machine that has the files.'],
  });
}

/** The settings of syncs come last, so their position does not matter. */
function sorted(config: SourceConfig | null): SourceConfig | null {
  if (config === null) return null;
  const settings = syncSettingsOf(config);
  const entries = Object.entries(config).filter(([key]) => !(key in settings));
  const last = Object.entries(settings).sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries([...entries, ...last]);
}
