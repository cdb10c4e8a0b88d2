import { expect, test } from 'vitest'
import { isLoopbackHost, makeNetworkReader, networkOf, siteOf } from './network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['::FFFF:CB00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
  ['0000:0000::ffff:cb00:7109', '203.0.113.9'],
  ['[::ffff:cb00:7109]', '203.0.113.9'],
  ['::ffff:203.0.113.9%eth0', '203.0.113.9'],
  ['::ffff:0:0', '0.0.0.0'],
  ['::ffff:0:cb00:7109', '203.0.113.9'],
  ['64:ff9b::cb00:7109', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['::cb00:7109', '203.0.113.9'],
  ['::203.0.113.9', '203.0.113.9'],
  ['::', '0:0:0:0::/64'],
  ['::fffe:cb00:7109', '0:0:0:0::/64'],
  ['64:ff9b:1::cb00:7109', '64:ff9b:1:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', 'unknown'],
  ['localhost', 'unknown'],
  ["' or 1=1", 'unknown'],
])('%s is in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['nonsense', 'unknown'],
])('%s is in the site %s', (address, site) => {
  expect(siteOf(networkOf(address))).toBe(site)
})

test('all spellings and addresses of an IPv6 /64 are one network', () => {
  const spellings = ['2001:db8::1', '2001:0db8:0:0::abcd', '2001:DB8:0:0:ffff:ffff:ffff:ffff']
  expect(new Set(spellings.map(networkOf)).size).toBe(1)
})

test('X-Forwarded-For is ignored when no proxy is listed', () => {
  const read = makeNetworkReader([])
  expect(read('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
})

test('X-Forwarded-For is ignored unless sent by a listed proxy', () => {
  const read = makeNetworkReader(['10.0.0.0/8'])
  expect(read('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
})

test('behind listed proxies the nearest unlisted address counts, not what it claims', () => {
  const read = makeNetworkReader(['10.0.0.0/8', '::1'])
  expect(read('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
  expect(read('::ffff:10.1.2.3', '1.2.3.4, 198.51.100.1, 10.9.9.9')).toBe('198.51.100.1')
  expect(read('::1', '2001:db8:1:2::7')).toBe('2001:db8:1:2::/64')
  expect(read('10.1.2.3', 'nonsense')).toBe('unknown')
  expect(read('10.1.2.3', null)).toBe('10.1.2.3')
})

test.each([
  ['1.2.3.4:5678', '1.2.3.4'],
  ['198.51.100.1:80, 10.9.9.9:443', '198.51.100.1'],
  ['[2001:db8:1:2::7]:5678', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
  ['[::ffff:198.51.100.1]:80', '198.51.100.1'],
  ['[::ffff:c633:6401]:80', '198.51.100.1'],
  ['198.51.100.1, ::ffff:a09:909', '198.51.100.1'],
  ['1.2.3.4:', 'unknown'],
  ['1.2.3.4:567890', 'unknown'],
  ['[1.2.3.4:80', 'unknown'],
])('a proxy header of %s means the network %s', (forwarded, network) => {
  expect(makeNetworkReader(['10.0.0.0/8'])('10.1.2.3', forwarded)).toBe(network)
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['127.0.0.1.evil.example', false],
  ['127.evil.example', false],
  ['localhost.evil.example', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
])('%s is this machine: %s', (host, answer) => {
  expect(isLoopbackHost(host)).toBe(answer)
})

test('a proxy listed by an address that stands for an IPv4 one is known by either', () => {
  for (const listed of [
    '::ffff:10.0.0.0/104',
    '::ffff:a00:0/104',
    '::ffff:a01:203',
    '10.0.0.0/8',
  ]) {
    const read = makeNetworkReader([listed])
    expect(read('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
    expect(read('::ffff:a01:203', '198.51.100.1')).toBe('198.51.100.1')
    expect(read('::ffff:b01:203', '198.51.100.1')).toBe('11.1.2.3')
  }
})

test('loopback is known however it is spelt', () => {
  const loopback = ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '::ffff:127.0.0.9', '64:ff9b::7f00:1']
  expect(loopback.map(isLoopbackHost)).toEqual(loopback.map(() => true))
  for (const host of ['[::ffff:cb00:7109]', '::7f00:1.example', '127.0.0.1.example']) {
    expect(isLoopbackHost(host)).toBe(false)
  }
})
