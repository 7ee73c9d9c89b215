import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { TestSite } from './site.js';

const test = suite<{ docs: TestSite }>('web connector, invalid named sources');

test.before.each(async (context) => {
  context.docs = await TestSite.start();
});
test.after.each(({ docs }) => docs.stop());

async function refusal(site: TestSite, config: object, other = 'web://docs'): Promise<string> {
  return site.connector(config, { target: other }).then(
    () => 'made',
    (error: unknown) => {
      if (!isTroveError(error)) throw error;
      return `${error.code}: ${error.detail} ${error.suggestions.join(' ')}`;
    },
  );
}

test('rejects a configuration without a valid site', async ({ docs }) => {
  const start = { start_urls: ['https://docs.example.com/'] };
  assert.match(
    await refusal(docs, {}),
    /^config_invalid: config.start_urls: is required .*start_urls = \[/,
  );
  assert.match(
    await refusal(docs, {}, 'web://docs.example.com'),
    /Or add https:\/\/docs\.example\.com/,
  );
  assert.match(
    await refusal(docs, start, 'web://docs/guide'),
    /^validation_error: target: .*web:\/\/docs,/,
  );
  assert.match(
    await refusal(docs, start, 'https://a.example'),
    /^config_invalid: config.start_urls: is only/,
  );
  assert.match(
    await refusal(docs, { allowed_domains: ['a.example'] }, 'https://a.example'),
    /^config_invalid: config.allowed_domains: is only/,
  );
  for (const text of ['docs.example.com', 'ftp://a.example/', '\u0001https://a.example', '/x'])
    assert.match(
      await refusal(docs, { start_urls: [text] }),
      /config.start_urls: .* is not the address/,
      text,
    );
  const withLogin = await refusal(docs, { start_urls: ['https://me:hidden@a.example/'] });
  assert.match(withLogin, /start_urls: an entry is not the address/);
  assert.not.match(withLogin, /hidden/);
  for (const domain of [
    '*.example.com',
    'https://a.example',
    'a.example:0',
    'a.example/x',
    'a b',
    '::1',
  ])
    assert.match(
      await refusal(docs, { ...start, allowed_domains: [domain] }),
      /config.allowed_domains: .* is not a host\b/,
      domain,
    );
  assert.match(
    await refusal(docs, { ...start, allowed_domains: ['docs.example.com:8443', 'example.com'] }),
    /config.start_urls: https:\/\/docs\.example\.com\/ is not on a host of `allowed_domains` Add docs\.example\.com to/,
  );
  const allowed = ['docs.example.com', 'www.docs.example.com', 'docs.example.com:443'];
  for (const domain of allowed)
    assert.is(await refusal(docs, { ...start, allowed_domains: [domain] }), 'made', domain);
  assert.match(
    await refusal(docs, { start_urls: ['https://a.example:8443/', 'http://a.example:8443/'] }),
    /use the same port/,
  );
  const many = Array.from({ length: 51 }, (_, n) => `https://a${n}.example/`);
  assert.match(await refusal(docs, { start_urls: many }), /are on more than 50 hosts/);
});

test.run();
