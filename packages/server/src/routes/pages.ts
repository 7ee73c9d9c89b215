import { readFile } from 'node:fs/promises';
import { contentResponse, operation, withoutCommand } from '@trove/operations';
import { ownPackage } from '../own-package.js';
import { route, type Route } from './route.js';

/** Forbids loading from and sending to other hosts, whatever the scripts contain. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const html = 'text/html; charset=utf-8';
const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/**
 * Pages for browsers, which are not part of the API. The files need no token, but the API calls of the pages
 * do.
 */
export const pages: readonly Route[] = [
  page('/', 'console/index.html', html),
  page('/console/console.css', 'console/console.css', css),
  page('/console/frame.css', 'console/frame.css', css),
  page('/console/console.js', 'console/console.js', script),
  page('/console/cytoscape.js', 'cytoscape/cytoscape.esm.min.mjs', script),
  page('/docs', 'pages/docs.html', html),
  page('/docs/page.css', 'pages/docs.css', css),
  page('/docs/page.js', 'pages/docs.js', script),
  page('/docs/swagger-ui.css', 'swagger-ui/swagger-ui.css', css),
  page('/docs/swagger-ui.js', 'swagger-ui/swagger-ui-bundle.js', script),
];

function page(path: string, file: string, type: string): Route {
  const part = operation({
    rights: 'read',
    method: 'GET',
    path,
    tag: 'Server',
    summary: file,
    response: contentResponse('A part of a page.', type, headers),
    errors: [],
    isPublic: true,
    withoutEngine: true,
    exposure: withoutCommand('Browsers load it.'),
  });
  return route(path, part, () => readFile(new URL(file, ownPackage)));
}
