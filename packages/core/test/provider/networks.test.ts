import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf } from '../../src/provider/networks.js';

const test = suite('networks');

test('distinguishes public addresses from all others', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111']) {
    assert.is(networkOf(address), 'public', address);
  }
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%lo',
    'ff02::1',
    'localhost',
    '',
  ]) {
    assert.is.not(networkOf(address), 'public', address);
  }
});

test('returns the kind of network of an address', () => {
  for (const [network, ...addresses] of [
    ['loopback', '127.0.0.1', '127.9.9.9', '::1'],
    ['link-local', '169.254.169.254', 'fe80::1%lo'],
    ['private', '10.1.2.3', '192.168.1.1', '172.31.255.255', '100.64.0.1', 'fd00:ec2::254'],
    ['special', '0.0.0.0', '224.0.0.1', '::', 'localhost'],
  ]) {
    for (const address of addresses) assert.is(networkOf(address), network, address);
  }
});

test.run();
