import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { HostKeyCheck } from '../src/host-key.js';
import { fingerprintOf, parseKnownHosts } from '../src/known-hosts.js';

const test = suite('keys of SSH servers');
const [first, second] = [Buffer.from('first key'), Buffer.from('second key')];
const [one, two] = [first.toString('base64'), second.toString('base64')];

const keysOf = (text: string, host: string, port = 22): string[] =>
  parseKnownHosts(text, host, port).map(({ type, key, isRevoked }) =>
    [type, key.toString(), ...(isRevoked ? ['revoked'] : [])].join(' '),
  );

test('finds the keys of a server by its name, its port and patterns', () => {
  const text = `# comment
files.example.com,192.0.2.7 ssh-ed25519 ${one} somebody
[files.example.com]:2222 ssh-rsa ${two}
*.lan,!secret.lan ssh-ed25519 ${two}
@cert-authority * ssh-ed25519 ${one}
@revoked old.example ssh-rsa ${one}
damaged line`;
  assert.equal(keysOf(text, 'FILES.example.com'), ['ssh-ed25519 first key']);
  assert.equal(keysOf(text, '192.0.2.7'), ['ssh-ed25519 first key']);
  assert.equal(keysOf(text, 'files.example.com', 2222), ['ssh-rsa second key']);
  assert.equal(keysOf(text, 'nas.lan'), ['ssh-ed25519 second key']);
  assert.equal(keysOf(text, 'secret.lan'), []);
  assert.equal(keysOf(text, 'old.example'), ['ssh-rsa first key revoked']);
});

test('finds the keys of a hashed name', () => {
  // Written by `ssh-keygen -H` for the name `files.example.com`.
  const name = '|1|8oDBT1UtX/H+3SR85SXpkKVyjJw=|9+RFf8SouOSszvRXfi4PHjrHyz0=';
  assert.equal(keysOf(`${name} ssh-ed25519 ${one}`, 'files.example.com'), [
    'ssh-ed25519 first key',
  ]);
  assert.equal(keysOf(`${name} ssh-ed25519 ${one}`, 'other.example'), []);
});

test('accepts only the configured key', () => {
  for (const configured of [
    fingerprintOf(first),
    `${fingerprintOf(first)}=`,
    `ssh-ed25519 ${one} x`,
  ]) {
    const check = new HostKeyCheck('h', configured, []);
    assert.is(check.accepts(first), true, configured);
    assert.is(check.accepts(second), false, configured);
    assert.match(
      check.refusal?.detail ?? '',
      `differs from \`host_key\`. Its fingerprint is ${fingerprintOf(second)}`,
    );
  }
});

test('refuses unknown, changed and revoked keys', () => {
  const refusal = (text: string): string | undefined => {
    const check = new HostKeyCheck('h', undefined, parseKnownHosts(text, 'h', 22));
    check.accepts(first);
    return check.refusal?.detail;
  };
  assert.is(refusal(`h ssh-ed25519 ${one}`), undefined);
  assert.is(refusal(''), `The key of h is unknown. Its fingerprint is ${fingerprintOf(first)}.`);
  assert.match(refusal(`h ssh-ed25519 ${two}`) ?? '', 'differs from known_hosts');
  assert.match(refusal(`@revoked h ssh-ed25519 ${one}`) ?? '', 'is revoked in known_hosts');
});

test.run();
