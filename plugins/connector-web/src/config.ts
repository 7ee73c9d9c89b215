import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    start_urls: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: { type: 'string', format: 'iri', minLength: 1, maxLength: 2000 },
      description:
        'For a target with a name of your own, such as `web://docs`: the addresses at which the crawl begins.',
    },
    allowed_domains: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: { type: 'string', format: 'idn-hostname', minLength: 1, maxLength: 260 },
      description:
        'With `start_urls`: the hosts of the source, such as `docs.example.com` or `localhost:8080`. All their pages are included. Default: the pages at and below the start URLs.',
    },
    max_pages: {
      type: 'integer',
      minimum: 1,
      maximum: 200_000,
      default: 10_000,
      description: 'Maximum number of pages and documents of all hosts together.',
    },
    max_depth: {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      default: 30,
      description:
        'Maximum number of links from the first page. A page in a sitemap is one link away.',
    },
    exclude: {
      type: 'array',
      maxItems: 1000,
      items: { type: 'string', minLength: 1, maxLength: 1000 },
      default: [],
      description:
        'Patterns as in .gitignore, such as `/blog/**` or `*/print`. Matching paths of the site are not requested.',
    },
    query_strings: {
      type: 'boolean',
      default: true,
      description:
        'Whether addresses that differ only after `?` are separate pages. If false, that part is dropped.',
    },
    documents: {
      type: 'boolean',
      default: true,
      description: 'Whether linked PDF, Office and text files are included.',
    },
    robots: {
      type: 'boolean',
      default: true,
      description:
        'Whether robots.txt, `noindex` and `nofollow` are obeyed. Set it to false only for your own site.',
    },
    delay_ms: {
      type: 'integer',
      minimum: 0,
      maximum: 60_000,
      default: 200,
      description:
        'Milliseconds between two requests. A longer `Crawl-delay` of robots.txt takes precedence.',
    },
    connections: {
      type: 'integer',
      minimum: 1,
      maximum: 8,
      default: 2,
      description: 'Maximum number of concurrent requests to the site.',
    },
    authorization: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description:
        'The value of the header Authorization, preferably as a reference: env:DOCS_TOKEN with "Bearer …" or "Basic …".',
    },
    cookie: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description: 'The value of the header Cookie, preferably as a reference: env:DOCS_COOKIE.',
    },
  },
} as const;

export type WebConfig = Infer<typeof configSchema>;
