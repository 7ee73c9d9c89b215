import { never, type Mutants } from './support.js';

export const alertMutants: Mutants = {
  'incident-once': (good) => ({
    // Queues the alerts of an incident that is already open.
    alerts: {
      raise: async (incident, alerts, source) => {
        const opened = await good.alerts.raise(incident, alerts, source);
        if (!opened && source === undefined && alerts.length > 0) {
          await good.alerts.raise({ ...incident, key: `${incident.key}+` }, alerts);
          return true;
        }
        return opened;
      },
    },
  }),
  'incident-resolved-once': (good) => ({
    alerts: {
      resolve: async (key, alerts) => {
        const resolved = await good.alerts.resolve(key, alerts);
        return resolved || alerts.length > 0;
      },
    },
  }),
  'incident-of-synced-source': (good) => ({
    alerts: { raise: (incident, alerts) => good.alerts.raise(incident, alerts) },
  }),
  'alerts-in-order': (good, database) => ({
    // Treats each alert as one of its own incident.
    alerts: {
      claim: async (worker, channels, leaseMs) => {
        await database.query('update trove_alerts set incident = id');
        return good.alerts.claim(worker, channels, leaseMs);
      },
    },
  }),
  'alert-channels': (good) => ({
    alerts: {
      claim: (worker, channels, leaseMs) =>
        good.alerts.claim(worker, [...new Set([...channels, 'webhook', 'command'])], leaseMs),
    },
  }),
  'alert-of-dead-worker': (_good, database) => ({
    // Lets any worker complete an alert.
    alerts: {
      complete: async (id) => {
        await database.query('delete from trove_alerts where id = ?', id);
      },
    },
  }),
  'alert-postponed': (good, database) => ({
    alerts: {
      postpone: async (id, worker, ms) => {
        await good.alerts.postpone(id, worker, ms);
        await database.query(
          'update trove_alerts set due_at = 0 where id = ? and worker is null and due_at < ?',
          id,
          never,
        );
      },
    },
  }),
};
