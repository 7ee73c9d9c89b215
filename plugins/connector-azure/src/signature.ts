import { createHmac } from 'node:crypto';

import type { BlobAccess } from './access.js';

/** The first version with escaped names in listings, and old enough for all clouds and emulators. */
const apiVersion = '2021-12-02';

/** Returns the address and headers of a GET or HEAD request, with the login. */
export function signRequest(
  method: 'GET' | 'HEAD',
  address: string,
  extraHeaders: Readonly<Record<string, string>>,
  { account, key, sas }: BlobAccess,
  now: Date,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(address);
  const headers: Record<string, string> = {
    ...extraHeaders,
    'x-ms-date': now.toUTCString(),
    'x-ms-version': apiVersion,
  };
  if (sas !== null) for (const [name, value] of sas) url.searchParams.set(name, value);
  if (key !== null) {
    const text = textToSign(method, url, headers, account);
    const signature = createHmac('sha256', key).update(text, 'utf8').digest('base64');
    headers['authorization'] = `SharedKey ${account}:${signature}`;
  }
  return { url: url.href, headers };
}

/** The eleven headers between the method and those of Azure are empty, because the requests have no body. */
function textToSign(
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  account: string,
): string {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'));
  const canonical = own.map(([name, value]) => `${name}:${value.trim()}\n`).sort();
  const parameters = [...new Set(url.searchParams.keys())].sort().map((name) => {
    const values = url.searchParams.getAll(name).sort();
    return `\n${name.toLowerCase()}:${values.join(',')}`;
  });
  const resource = `/${account}${url.pathname}${parameters.join('')}`;
  return `${method}${'\n'.repeat(12)}${canonical.join('')}${resource}`;
}
