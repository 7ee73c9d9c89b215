import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that no page of the public web is in: this machine, private and special ones, and those of cloud metadata. */
const networks4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Of version 6 only the global unicast addresses are public, without those that stand for an address of version 4. */
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const blocked4 = new BlockList();
for (const [net, bits] of networks4) blocked4.addSubnet(net, bits, 'ipv4');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const blocked6 = new BlockList();
for (const [net, bits] of special6) blocked6.addSubnet(net, bits, 'ipv6');

/** Whether an address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blocked4.check(address, 'ipv4');
  const bare = address.replace(/%.*$/u, '');
  if (!isIPv6(bare)) return false;
  return global6.check(bare, 'ipv6') && !blocked6.check(bare, 'ipv6');
}
