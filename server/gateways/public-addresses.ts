import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 ranges that are not public (IANA special-purpose registry), and metadata services. */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Also the metadata services of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's platform services.
  ['168.63.129.16', 32],
] as const

/** Non-public ranges within IPv6 global unicast: protocols, documentation, and embedded IPv4. */
const NOT_PUBLIC_6 = [
  // Teredo, ORCHID and other assignments of the IETF.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: embeds an IPv4 address.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

function listOf(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6') {
  const list = new BlockList()
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family)
  return list
}

const closed4 = listOf(NOT_PUBLIC_4, 'ipv4')
const closed6 = listOf(NOT_PUBLIC_6, 'ipv6')
/** All of IPv6 that is routed: loopback, mapped, unique local, link-local and multicast lie outside. */
const global6 = listOf([['2000::', 3]], 'ipv6')

/** Whether an address is on the public internet; false if it is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed4.check(address, 'ipv4')
  // A zone id (`%eth0`) only occurs with link-local addresses.
  if (!isIPv6(address) || address.includes('%')) return false
  return global6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}
