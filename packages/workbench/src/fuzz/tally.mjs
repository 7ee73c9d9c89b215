/** Counts requests by operation and status class, and records the longest time of each operation. */
export function makeTally() {
  const rows = new Map();
  return {
    count({ operation }, { status, ms }) {
      const row = rows.get(operation.id) ?? {
        requests: 0,
        '2xx': 0,
        '4xx': 0,
        '5xx': 0,
        longestMs: 0,
      };
      row.requests++;
      row[`${Math.floor(status / 100)}xx`]++;
      row.longestMs = Math.max(row.longestMs, ms);
      rows.set(operation.id, row);
    },
    rows: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
