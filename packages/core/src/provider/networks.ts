import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The kind of network that an address belongs to. */
export type Network = 'public' | 'loopback' | 'link-local' | 'private' | 'special';

type Subnet = readonly [net: string, bits: number];

/** `special` contains ranges for documentation, benchmarks and multicast, and unassigned ranges. */
const networks4: Readonly<Record<Exclude<Network, 'public'>, readonly Subnet[]>> = {
  loopback: [['127.0.0.0', 8]],
  // Cloud providers serve credentials at 169.254.169.254.
  'link-local': [['169.254.0.0', 16]],
  private: [
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ],
  special: [
    ['0.0.0.0', 8],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ],
};
const networks6: Readonly<Record<'loopback' | 'link-local' | 'private', readonly Subnet[]>> = {
  loopback: [['::1', 128]],
  'link-local': [['fe80::', 10]],
  private: [['fc00::', 7]],
};
/** Global unicast ranges of IPv6 that are not public: documentation, special protocols, and embedded IPv4 addresses. */
const specialRanges6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const lists4 = listsOf(networks4, 'ipv4');
const lists6 = listsOf(networks6, 'ipv6');
const globalList6 = blockList([['2000::', 3]], 'ipv6');
const specialList6 = blockList(specialRanges6, 'ipv6');

/** Returns the network of an IP address. `special` for any other text. */
export function networkOf(address: string): Network {
  if (isIPv4(address)) return lists4.find(([, list]) => list.check(address))?.[0] ?? 'public';
  const bare = address.replace(/%.*$/u, '');
  if (!isIPv6(bare)) return 'special';
  if (globalList6.check(bare, 'ipv6') && !specialList6.check(bare, 'ipv6')) return 'public';
  return lists6.find(([, list]) => list.check(bare, 'ipv6'))?.[0] ?? 'special';
}

function listsOf<N extends Network>(
  networks: Readonly<Record<N, readonly Subnet[]>>,
  family: 'ipv4' | 'ipv6',
): readonly (readonly [Network, BlockList])[] {
  return Object.entries<readonly Subnet[]>(networks).map(([name, subnets]) => [
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of `networks`
    name as N,
    blockList(subnets, family),
  ]);
}

function blockList(subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [net, bits] of subnets) list.addSubnet(net, bits, family);
  return list;
}
