import { BlockList, isIPv4, isIPv6 } from 'node:net'

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

/**
 * The first six groups of IPv6 addresses that stand for the IPv4 address in the last two: mapped (RFC 4291),
 * compatible (deprecated there), translated (RFC 2765) and behind NAT64 (RFC 6052).
 */
const EMBEDDING: ReadonlySet<string> = new Set([
  '0:0:0:0:0:ffff',
  '0:0:0:0:0:0',
  '0:0:0:0:ffff:0',
  '64:ff9b:0:0:0:0',
])

/** The IPv4 address that an IPv6 one stands for, however it is spelt; null for all others. */
function embeddedIPv4(address: string): string | null {
  const groups = groupsOf(address)
  if (groups === null || !EMBEDDING.has(groups.slice(0, 6).join(':'))) return null
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  // `::` and `::1` are addresses of their own.
  if (high === 0 && low <= 1 && groups[5] === '0' && groups[0] === '0') return null
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * An address as it is judged everywhere: without brackets and zone, and as IPv4 where it stands for one
 * (`::ffff:203.0.113.9`, `::ffff:cb00:7109`). Text that is no address is returned as it is.
 */
export function plainAddress(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
  return embeddedIPv4(bare) ?? bare
}

/** Whether the host of a URL is this machine; names that merely look like it are not. */
export function isLoopbackHost(host: string): boolean {
  const bare = plainAddress(host)
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/**
 * The network of an address, the key of rate limits: the whole IPv4 address, or the /64 of an IPv6 one,
 * because one household or attacker owns the whole /64. `unknown` for an invalid address.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
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

/**
 * What one household or small office has: the whole IPv4 address, or the /56 around the /64 of `networkOf`.
 */
export function homeOf(network: string): string {
  if (!network.endsWith('::/64')) return network
  const groups = network.slice(0, -'::/64'.length).split(':')
  const last = Number.parseInt(groups[3] ?? '0', 16) & 0xff00
  return `${[...groups.slice(0, 3), last.toString(16)].join(':')}::/56`
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
    const [written = '', bits] = range.split('/')
    const address = plainAddress(written)
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    // The last 32 bits of an IPv6 address that stands for an IPv4 one.
    const skipped = isIPv6(written) && family === 'ipv4' ? 96 : 0
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Math.max(0, Number(bits) - skipped), family)
  }
  return list
}

/** Makes a test for whether an address is a trusted proxy. */
export function makeProxyTest(trustedProxies: string[]): (address: string) => boolean {
  const trusted = blockList(trustedProxies)
  return (address) => {
    const plain = plainAddress(address)
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
