const mib = 1024 * 1024;

/** Formats a measured value in milliseconds, seconds or mebibytes. */
export function shown(value, unit) {
  if (value === null) return '–';
  if (unit === 'bytes') return `${Math.round(value / mib)} MB`;
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 100 ? `${Math.round(value)} ms` : `${value.toFixed(1)} ms`;
}

export function shownRatio(ratio) {
  return ratio === null ? '–' : `${ratio.toFixed(2)} ×`;
}

export function verdict(passed) {
  return passed ? 'pass' : 'MISS';
}

/** Returns the cells of a value with a limit: measured, target and verdict. */
export function atMost(value, unit, limit) {
  return [shown(value, unit), `at most ${shown(limit, unit)}`, verdict(value <= limit)];
}

/** Returns the cells of each figure, the header first. */
export function tableRows(figures) {
  return [
    ['what', 'measured', 'floor', 'ratio', 'target', 'verdict'],
    ...figures.map(({ name, unit, value, floor, floorName, ratio, target, passed }) => [
      name,
      shown(value, unit),
      floor === null ? '–' : `${shown(floor, unit)} (${floorName})`,
      shownRatio(ratio),
      target,
      verdict(passed),
    ]),
  ];
}

/** Formats rows as a Markdown table. */
export function markdownTable([header, ...rows]) {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/** Formats rows as text columns. */
export function textTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
