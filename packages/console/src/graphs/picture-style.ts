import type cytoscape from 'cytoscape';

const origins = ['named', 'found', 'near', 'far', 'opened'];
const font = 'system-ui, sans-serif';

/** Returns the style of the drawing in the colours of the page. */
export function pictureStyle(): cytoscape.StylesheetJson {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return [
    {
      selector: 'node',
      style: {
        label: 'data(name)',
        width: 'mapData(degree, 0, 20, 18, 46)',
        height: 'mapData(degree, 0, 20, 18, 46)',
        color: color('ink'),
        'font-family': font,
        'font-size': 'mapData(degree, 0, 20, 14, 24)',
        'min-zoomed-font-size': 8,
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-wrap': 'wrap',
        'text-max-width': '140px',
        'text-overflow-wrap': 'anywhere',
        'text-background-color': color('panel'),
        'text-background-opacity': 0.8,
        'text-background-padding': '2px',
      },
    },
    ...origins.map((origin) => ({
      selector: `.${origin}`,
      style: { 'background-color': color(`origin-${origin}`) },
    })),
    { selector: '.named', style: { 'font-size': 18, 'font-weight': 'bold' } },
    { selector: 'node.lit', style: { 'min-zoomed-font-size': 0 } },
    {
      selector: 'edge',
      style: {
        width: 1.5,
        'line-color': color('strong-line'),
        'curve-style': 'bezier',
        'target-arrow-shape': 'triangle',
        'target-arrow-color': color('strong-line'),
        'arrow-scale': 0.9,
        color: color('soft'),
        'font-family': font,
        'font-size': 12,
        'min-zoomed-font-size': 8,
        'text-rotation': 'autorotate',
        'text-wrap': 'ellipsis',
        'text-max-width': '130px',
        'text-background-color': color('panel'),
        'text-background-opacity': 0.8,
      },
    },
    { selector: 'edge.labelled, edge.lit', style: { label: 'data(predicate)' } },
    { selector: '.new', style: { 'border-width': 3, 'border-color': color('accent') } },
    {
      selector: 'edge.new, edge.lit',
      style: { 'line-color': color('soft'), 'target-arrow-color': color('soft') },
    },
    {
      selector: 'node:selected',
      style: { 'border-width': 4, 'border-color': color('accent'), 'font-weight': 'bold' },
    },
    { selector: '.aside', style: { opacity: 0.25 } },
    { selector: '.later', style: { display: 'none' } },
  ];
}
