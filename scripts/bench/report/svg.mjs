const STYLE = `<style>
  :root { --ink: #1f2328; --soft: #656d76; --line: #d0d7de; --a: #0969da; --b: #bf8700; --bad: #cf222e; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --a: #4493f8; --b: #d29922; --bad: #f85149; }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--ink); }
  .soft { fill: var(--soft); }
  .title { font-weight: 600; font-size: 14px; }
  .grid { stroke: var(--line); stroke-width: 1; }
  .mark { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 4 3; }
  .a { fill: var(--a); } .b { fill: var(--b); } .bad { fill: var(--bad); }
  .curve { fill: none; stroke-width: 2; }
  .curve.a { stroke: var(--a); fill: none; } .curve.b { stroke: var(--b); fill: none; }
</style>`;

/** A whole SVG document with a title; colours follow the reader's light or dark scheme. */
export function svg(width, height, title, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
${STYLE}
${text(16, 24, title, 'title')}
${parts.join('\n')}
</svg>
`;
}

export function text(x, y, content, kind = '', anchor = 'start') {
  return `<text x="${round(x)}" y="${round(y)}" class="${kind}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

export function rect(x, y, width, height, kind) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(height)}" class="${kind}"/>`;
}

export function line(x1, y1, x2, y2, kind) {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${kind}"/>`;
}

export function curve(points, kind) {
  const places = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  return `<polyline points="${places}" class="curve ${kind}"/>`;
}

/** Round numbers from 0 to at least `max`, about `count` of them, for an axis. */
export function ticks(max, count = 5) {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, at) =>
    Number((at * step).toPrecision(12)),
  );
}

function round(value) {
  return Number(value.toFixed(1));
}

function escaped(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
