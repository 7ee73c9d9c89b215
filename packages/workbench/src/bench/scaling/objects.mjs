import { AwsClient } from 'aws4fetch';

/** Returns the objects below a prefix: `{ count, bytes, rows, indexes, other }`, the last three in bytes. */
export async function objectSpace({ endpoint, bucket, accessKeyId, secretAccessKey }, prefix) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'here' });
  const space = { count: 0, bytes: 0, rows: 0, indexes: 0, other: 0 };
  for (let token = ''; ;) {
    const query = new URLSearchParams({ 'list-type': '2', prefix });
    if (token !== '') query.set('continuation-token', token);
    const answer = await client.fetch(`${endpoint}/${bucket}?${query}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    for (const [, key, size] of text.matchAll(/<Key>([^<]*)<\/Key>.*?<Size>(\d+)<\/Size>/gs)) {
      space.count++;
      space.bytes += Number(size);
      space[purposeOf(key)] += Number(size);
    }
    const [, next] = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text) ?? [];
    if (next === undefined) return space;
    token = next;
  }
}

function purposeOf(key) {
  if (key.includes('/data/')) return 'rows';
  return key.includes('/_indices/') ? 'indexes' : 'other';
}
