import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Whether the host of a URL is this machine; names that merely look like it are not. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/** The eight groups of an IPv6 address, or null when it is not one. */
function groupsOf(address: string): string[] | null {
  if (!isIPv6(address)) return null
  // The URL parser normalizes every spelling of an address.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left
  const right = tail === '' ? [] : tail.split(':')
  const gap = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...gap, ...right]
}

/** An address without the port that some proxies append. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d{1,5}$/, '$1')
}

/** An IPv4-mapped IPv6 address (`::ffff:203.0.113.9`) as plain IPv4; others unchanged. */
function unmapped(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  return mapped ?? address.replace(/%.*$/, '')
}

/**
 * The network of an address, the key of rate limits: the whole IPv4 address, or the /64 of an IPv6 one,
 * because one household or attacker owns the whole /64. `unknown` for an invalid address.
 */
export function networkOf(address: string): string {
  const plain = unmapped(address.trim())
  if (isIPv4(plain)) return plain
  const groups = groupsOf(plain)
  return groups === null ? 'unknown' : `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * The most that one customer or site of an internet provider has: the whole IPv4 address, or the /48 around
 * the /64 of `networkOf`.
 */
export function siteOf(network: string): string {
  if (!network.endsWith('::/64')) return network
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** Limit of a whole site, as a multiple of one network's. */
const SITE_SHARE = 8

/**
 * The keys a call is counted against: the network and, for IPv6, its site with `share` times the limit,
 * because a /48 holds 65,536 networks. The network comes first, so that an exhausted network takes nothing
 * from its neighbours.
 */
export function limitKeys(network: string): { key: string; share: number }[] {
  const site = siteOf(network)
  const own = { key: network, share: 1 }
  return site === network ? [own] : [own, { key: site, share: SITE_SHARE }]
}

/** Whether a text is an address or a CIDR range, as lists of proxies hold them. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  if (bits === undefined) return most > 0
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}

function blockList(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Makes a test for whether an address is a trusted proxy. */
export function makeProxyTest(trustedProxies: string[]): (address: string) => boolean {
  const trusted = blockList(trustedProxies)
  return (address) => {
    const plain = unmapped(address)
    if (isIPv4(plain)) return trusted.check(plain, 'ipv4')
    return isIPv6(plain) && trusted.check(plain, 'ipv6')
  }
}

/**
 * Finds the caller's network from its socket address and X-Forwarded-For. The header counts only when the
 * socket belongs to a listed proxy, and only back to the first unlisted address.
 */
export function makeNetworkReader(
  trustedProxies: string[],
): (peer: string, forwardedFor: string | null) => string {
  if (trustedProxies.length === 0) return (peer) => networkOf(peer)
  const isTrusted = makeProxyTest(trustedProxies)
  return (peer, forwardedFor) => {
    const hops = [...(forwardedFor?.split(',').map((hop) => withoutPort(hop.trim())) ?? []), peer]
    const stranger = hops.findLast((hop) => !isTrusted(hop))
    return networkOf(stranger ?? peer)
  }
}
