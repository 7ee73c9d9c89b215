import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startFakeDrive } from '../../../../plugins/connector-gdrive/test/fake.js';
import { startFakeGmail } from '../../../../plugins/connector-gmail/test/fake.js';
import { startFakeBigQuery } from '../../../../plugins/connector-bigquery/test/fake.js';
import { started, text, type ServiceCase } from './service-case.js';

/** Services with the logins of Google. */
export const googleServices: readonly ServiceCase[] = [
  {
    scheme: 'gdrive',
    async start(folder) {
      const fake = await startFakeDrive();
      fake.world.create({ name: 'greenhouse.txt', content: text });
      const { file, publicKey } = await writeKey(folder);
      fake.world.serviceAccountKey = publicKey;
      const { origin } = fake.service;
      return started(fake, {
        addresses: { base_url: origin, token_url: `${origin}/token` },
        target: 'gdrive://ann',
        answers: [
          ['Name of the drive', 'ann'],
          ['How does Trove log in?', 'service account'],
          ['Path of the JSON key', file],
        ],
        removeRight: () => {
          fake.world.hasScope = false;
        },
        problem: /auth\/drive\.readonly/,
      });
    },
  },
  {
    scheme: 'gmail',
    async start(folder) {
      const fake = await startFakeGmail();
      fake.world.deliver({ subject: 'Flickering', text });
      const { file, publicKey } = await writeKey(folder);
      fake.world.serviceAccountKey = publicKey;
      const { origin } = fake.service;
      return started(fake, {
        addresses: { base_url: origin, token_url: `${origin}/token` },
        target: 'gmail://ann-example.com',
        answers: [
          ['Mail address', 'ann@example.com'],
          ['How does Trove log in?', 'service account'],
          ['Path of the JSON key', file],
        ],
        removeRight: () => {
          fake.world.hasScope = false;
        },
        problem: /auth\/gmail\.readonly/,
      });
    },
  },
  {
    scheme: 'bigquery',
    async start(folder) {
      const fake = await startFakeBigQuery();
      const fields = [{ name: 'note', type: 'STRING' }];
      fake.world.addTable('garden', 'notes', { fields, rows: [[text]] });
      const file = join(folder, 'key.json');
      await writeFile(file, fake.key);
      const { origin } = fake.service;
      return started(fake, {
        addresses: { base_url: origin, token_url: `${origin}/token` },
        target: 'bigquery://acme',
        answers: [
          ['Project', 'acme'],
          ['Path of the JSON key', file],
        ],
        removeRight: () => {
          fake.world.hasRight = false;
        },
        problem: /bigquery\.datasets\.get/,
      });
    },
  },
];

/** Writes the key of a service account of Google. */
async function writeKey(
  folder: string,
): Promise<{ readonly file: string; readonly publicKey: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = {
    type: 'service_account',
    client_email: 'robot@example.com',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  const file = join(folder, 'key.json');
  await writeFile(file, JSON.stringify(key));
  return { file, publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })) };
}
