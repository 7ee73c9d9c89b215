import { symlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { codeOf } from '@trove/test-support/rejection.js';
import { calm, indexed, inFolder, level, reasonOf, search, shown, textOf } from './folder.js';

const test = suite('file connector, private files');

const secrets = [
  '.ssh/config',
  '.gnupg/pubring.kbx',
  '.aws/credentials',
  '.kube/config',
  '.config/gcloud/access_tokens.db',
  '.config/google-chrome/Default/History',
  '.mozilla/firefox/x.default/logins.json',
  '.thunderbird/x/Mail/Inbox',
  '.local/share/keyrings/login.keyring',
  '.docker/config.json',
  '.git/config',
  '.netrc',
  '.npmrc',
  '.env',
  '.env.local',
  'deploy/production.env',
  'keys/id_ed25519',
  'keys/server.pem',
  'keys/SERVER.KEY',
  '.bash_history',
  '.python_history',
  '.Trash-1000/files/a.md',
  '.npm/_cacache/x',
];
const open = [
  '.env.example',
  '.env.local.sample',
  'example.env',
  '.config/notes.md',
  'environment.md',
  'history.md',
  'keys/README.md',
  'keys/id_ed25519.pub',
  '.docker/Dockerfile',
  'gcloud/notes.md',
];

test(
  'leaves out keys, credentials, histories, profiles and mail',
  inFolder(async (folder) => {
    for (const path of [...secrets, ...open]) folder.write(path, 'needle\n');
    const connector = await folder.open();
    assert.equal(await indexed(connector), open.toSorted());
    const found = shown(await search(connector, 'needle')).map((line) => line.split(':')[0] ?? '');
    assert.equal(found.toSorted(), open.toSorted());
  }),
);

test(
  'reads a private file by its path, and explains why it is left out',
  inFolder(async (folder) => {
    folder.write('.env', 'KEY=1\n');
    folder.write('.ssh/id_rsa', 'key\n');
    const connector = await folder.open();
    assert.is(await textOf(connector, '.env'), 'KEY=1\n');
    assert.is(await textOf(connector, '.ssh/id_rsa'), 'key\n');
    assert.is(
      await reasonOf(connector, '.env'),
      '.env is ignored by ".env" (built in: it may hold secrets); "!.env" in a .troveignore file includes it',
    );
    assert.match(await reasonOf(connector, '.ssh/id_rsa'), '.ssh is ignored by ".ssh/"');
    assert.match(await reasonOf(connector, '.ssh'), '.ssh is ignored by ".ssh/"');
  }),
);

test(
  'includes a private file by .troveignore, but not by .gitignore',
  inFolder(async (folder) => {
    folder.write('.gitignore', '*\n!*/\n!.env\n!*.pem\n!a.md\n!.gitignore\n!.troveignore\n');
    folder.write('.troveignore', '!.env\n');
    for (const path of ['.env', 'a.md', 'key.pem', '.ssh/a.md', '.git/a.md', 'sub/a.md']) {
      folder.write(path);
    }
    const files = ['.env', '.gitignore', '.troveignore', 'a.md', 'sub/a.md'];
    assert.equal(await indexed(await folder.open()), files);
    const configured = await folder.open('', ['!key.pem']);
    assert.equal(await indexed(configured), [...files, 'key.pem'].sort());
  }),
);

test(
  "never lists, reads or searches Trove's own files, even through links",
  inFolder(async (folder) => {
    folder.write('root/a.md', 'needle\n');
    folder.write('root/home/server.token', 'needle\n');
    folder.write('root/home/deep/b.md', 'needle\n');
    folder.write('root/data.db', 'needle\n');
    folder.write('root/home2/c.md', 'needle\n');
    folder.write('root/.troveignore', '!home/\n!**\n!data.db\n');
    symlinkSync('home', folder.at('root/to-folder'));
    symlinkSync('home/server.token', folder.at('root/to-file'));
    symlinkSync('root', folder.at('other'));
    for (const root of ['root', 'other']) {
      const connector = await folder.open(root, ['!home', '!**'], ['root/home', 'root/data.db']);
      assert.equal(await indexed(connector), ['.troveignore', 'a.md', 'home2/c.md']);
      const found = shown(await search(connector, 'needle'));
      assert.equal(found, ['a.md:1:needle', 'home2/c.md:1:needle']);
      for (const path of ['home/server.token', 'to-folder/server.token', 'to-file', 'data.db']) {
        assert.is(await codeOf(textOf(connector, path)), 'path_not_allowed', path);
        assert.is(await codeOf(connector.stat(path, { signal: calm() })), 'path_not_allowed', path);
      }
      for (const path of ['home', 'home/deep', 'to-folder']) {
        assert.is(await codeOf(level(connector, path)), 'path_not_allowed', path);
        assert.is(await codeOf(search(connector, 'needle', { path })), 'path_not_allowed', path);
      }
      assert.match(await reasonOf(connector, 'home'), 'never part of a source');
    }
  }),
);

test(
  "rejects a root inside Trove's own files, even through a link",
  inFolder(async (folder) => {
    folder.write('home/deep/a.md');
    symlinkSync('home/deep', folder.at('link'));
    for (const root of ['home', 'home/deep', 'home/deep/a.md', 'link']) {
      const connector = await folder.open(root, [], ['home']);
      assert.is(await codeOf(indexed(connector)), 'path_not_allowed', root);
      assert.is((await connector.check({ signal: calm() })).ok, false, root);
    }
  }),
);

test.run();
