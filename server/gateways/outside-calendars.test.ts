import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createSocketServer, type Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { OutsideError } from '#server/kernel/outside-address.ts'
import { growthDuring, openTinyChunkServer } from '#tests/harness/servers/tiny-chunks.ts'
import { isPublicAddress, makeOutsideHttp, type Target } from './outside-calendars.ts'

const NOTHING = { etag: null, lastModified: null }
const PUBLIC = '93.184.216.34'

/** Non-public addresses: private, shared, loopback, link-local, metadata, reserved, mapped. */
const CLOSED = `
  0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.9.9.9 168.63.129.16
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1
  192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
  239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
  ::ffff:a9fe:a9fe ::ffff:7f00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::808:808 ::7f00:1 64:ff9b::a00:1 100::1 2001::1 2001:db8::1 2002:7f00:1::
  3fff::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1 ff05::2 localhost
  127.1 2130706433 0x7f000001`
  .trim()
  .split(/\s+/)

test.each(CLOSED)('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  PUBLIC,
  '8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::808:808',
  '172.32.0.1',
  '100.128.0.1',
  '2606:2800:220:1::1',
  '2a00:1450::1',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

type Opened = { port: number; close(): void; reached: () => number }
const opened: Opened[] = []

afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

/** A local server that counts connections: the guarded client must never reach it. */
async function open(answer: RequestListener = (_, response) => response.end('BEGIN:VCALENDAR')) {
  let reached = 0
  const server = createServer(answer)
  server.on('connection', () => {
    reached += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const one: Opened = {
    port,
    reached: () => reached,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  opened.push(one)
  return one
}

type GatewayOptions = {
  resolve?: (host: string) => string[]
  testHosts?: string[]
  timeoutMs?: number
}

/** A client whose public addresses all resolve to one local server, over plain HTTP. */
function gateway(canary: Opened, { resolve = () => [PUBLIC], ...rest }: GatewayOptions = {}) {
  const dialled: Target[] = []
  const asked: string[] = []
  const http = makeOutsideHttp({
    publicUrl: 'https://care.example',
    testHosts: [],
    ...rest,
    resolve: (host) => {
      asked.push(host)
      return Promise.resolve(resolve(host).map((address) => ({ address })))
    },
    dial: (target) => {
      dialled.push(target)
      return connect({ host: '127.0.0.1', port: canary.port })
    },
  })
  return { http, dialled, asked }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof OutsideError ? error.failure : String(error)
}

test('hosts that resolve to a non-public address are never contacted', async () => {
  const canary = await open()
  for (const address of CLOSED) {
    const { http, dialled } = gateway(canary, { resolve: () => [address] })
    expect(await failureOf(http.get('https://cal.example/a.ics', NOTHING))).toBe('address')
    const mixed = gateway(canary, { resolve: () => [PUBLIC, address] })
    expect(await failureOf(mixed.http.get('https://cal.example/a.ics', NOTHING))).toBe('address')
    expect([...dialled, ...mixed.dialled]).toEqual([])
  }
  expect(canary.reached()).toBe(0)
})

test.each([
  'http://cal.example/a.ics',
  'https://cal.example:8443/a.ics',
  'https://user:secret@cal.example/a.ics',
  'https://127.0.0.1/a.ics',
  'https://2130706433/a.ics',
  'https://0x7f.1/a.ics',
  'https://[::1]/a.ics',
  'https://[::ffff:127.0.0.1]/a.ics',
  'https://169.254.169.254/latest/meta-data/',
  'https://8.8.8.8/a.ics',
  'ftp://cal.example/a.ics',
  'file:///etc/passwd',
  'no address',
])('%s is not requested', async (address) => {
  const canary = await open()
  const { http, dialled, asked } = gateway(canary)
  expect(await failureOf(http.get(address, NOTHING))).toBe('address')
  expect([dialled, asked, canary.reached()]).toEqual([[], [], 0])
})

test('the site’s own URL is refused', async () => {
  const { http } = gateway(await open())
  expect(await failureOf(http.get('https://care.example/calendar/x.ics', NOTHING))).toBe('own')
})

test('a name is resolved once, and the checked address is the one connected to', async () => {
  const canary = await open()
  let times = 0
  const rebinding = () => {
    times += 1
    return times === 1 ? [PUBLIC] : ['127.0.0.1']
  }
  const { http, dialled } = gateway(canary, { resolve: rebinding })
  await http.get('webcal://cal.example/a.ics', NOTHING)
  expect(times).toBe(1)
  expect(dialled).toEqual([{ address: PUBLIC, port: 443, host: 'cal.example', isPlain: false }])
  expect(await failureOf(http.get('https://cal.example/a.ics', NOTHING))).toBe('address')
  expect(canary.reached()).toBe(1)
})

test.each([
  ['https://inside.example/', 'address'],
  ['http://cal.example/b.ics', 'address'],
  ['https://127.0.0.1/', 'address'],
  ['https://care.example/', 'own'],
  ['https://[', 'address'],
])('a redirect to %s is not followed', async (location, failure) => {
  const canary = await open((_, response) => {
    response.writeHead(302, { location }).end()
  })
  const resolve = (host: string) => (host === 'inside.example' ? ['10.0.0.1'] : [PUBLIC])
  const { http, dialled } = gateway(canary, { resolve })
  expect(await failureOf(http.get('https://cal.example/a.ics', NOTHING))).toBe(failure)
  expect(dialled).toHaveLength(1)
})

test('at most three redirects are followed, each checked again', async () => {
  const canary = await open((request, response) => {
    const no = Number(request.url?.slice(1))
    if (no === 3) response.end('BEGIN:VCALENDAR')
    else response.writeHead(301, { location: `https://c${no}.example/${no + 1}` }).end()
  })
  const { http, asked } = gateway(canary)
  await http.get('https://cal.example/0', NOTHING)
  expect(asked).toEqual(['cal.example', 'c0.example', 'c1.example', 'c2.example'])
  expect(await failureOf(http.get('https://cal.example/-1', NOTHING))).toBe('redirects')
})

test('a request contains the host and validators, and nothing personal', async () => {
  const seen: Record<string, unknown>[] = []
  const canary = await open((request, response) => {
    seen.push({ ...request.headers, url: request.url })
    response.writeHead(200, { 'set-cookie': 'a=b', etag: '"1"', 'last-modified': 'then' })
    response.end('BEGIN:VCALENDAR')
  })
  const { http } = gateway(canary)
  const answer = await http.get('https://cal.example/a.ics?key=1#top', NOTHING)
  expect(answer).toMatchObject({ kind: 'whole', etag: '"1"', lastModified: 'then' })
  await http.get('https://cal.example/a.ics?key=1', { etag: '"1"', lastModified: 'then' })
  const sent = {
    host: 'cal.example',
    accept: 'text/calendar, */*;q=0.1',
    'accept-encoding': 'identity',
    'user-agent': 'Apposite',
    connection: 'close',
    url: '/a.ics?key=1',
  }
  expect(seen).toEqual([sent, { ...sent, 'if-none-match': '"1"', 'if-modified-since': 'then' }])
})

test.each([
  [304, 'unchanged'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'gone'],
  [410, 'gone'],
  [500, 'unreachable'],
  [204, 'unreachable'],
])('a response of %i is %s', async (status, what) => {
  const canary = await open((_, response) => response.writeHead(status).end())
  const { http } = gateway(canary)
  const got = http.get('https://cal.example/a.ics', { etag: '"1"', lastModified: null })
  if (what === 'unchanged') expect(await got).toEqual({ kind: 'unchanged' })
  else expect(await failureOf(got)).toBe(what)
})

test('responses are limited to five megabytes, also when compressed', async () => {
  const packed = await open((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(100_000_000)))
  })
  expect(await failureOf(gateway(packed).http.get('https://cal.example/', NOTHING))).toBe(
    'too_large',
  )
  const endless = await open((_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return
    }
    response.on('drain', more)
    more()
  })
  expect(await failureOf(gateway(endless).http.get('https://cal.example/', NOTHING))).toBe(
    'too_large',
  )
  const small = await open((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync('BEGIN:VCALENDAR'))
  })
  const answer = await gateway(small).http.get('https://cal.example/', NOTHING)
  expect(answer.kind === 'whole' && String(answer.body)).toBe('BEGIN:VCALENDAR')
})

test('five megabytes in chunks of one byte each are refused, and take no memory', async () => {
  const server = await openTinyChunkServer()
  try {
    const { http } = gateway({ port: server.port, close: server.close, reached: () => 0 })
    let failure = ''
    const grown = await growthDuring(async () => {
      failure = await failureOf(http.get('https://cal.example/', NOTHING))
    })
    expect(failure).toBe('too_large')
    expect(grown).toBeLessThan(50_000_000)
  } finally {
    server.close()
  }
})

test('what is compressed may be no larger, nor may it be sent in more pieces', async () => {
  const junk = Buffer.alloc(6_000_000)
  // More was sent than we read, although it decompresses to a few bytes.
  const empty = await open((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.write(gzipSync('BEGIN:VCALENDAR'))
    response.end(junk)
  })
  const packed = brotliCompressSync(Buffer.alloc(100_000_000), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  })
  const bomb = await open((_, response) => {
    response.writeHead(200, { 'content-encoding': 'br' })
    response.end(packed)
  })
  for (const canary of [empty, bomb]) {
    const grown = await growthDuring(async () => {
      const failure = await failureOf(gateway(canary).http.get('https://cal.example/', NOTHING))
      expect(failure).toBe('too_large')
    })
    expect(grown).toBeLessThan(50_000_000)
  }
})

test('headers that are giant, or that never end, are not waited for', async () => {
  const headersOf = async (send: (socket: Socket) => void) => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\n')
      send(socket)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const close = () => server.close()
    opened.push({ port, close, reached: () => 0 })
    const canary = { port, close, reached: () => 0 }
    const { http } = gateway(canary, { timeoutMs: 500 })
    return failureOf(http.get('https://cal.example/', NOTHING))
  }
  const giant = Buffer.from('x: y\r\n'.repeat(100_000))
  expect(await headersOf((socket) => socket.write(giant))).toBe('unreachable')
  const slow = await headersOf((socket) => {
    const timer = setInterval(() => socket.write('x: y\r\n'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  expect(slow).toBe('slow')
  const trickle = await headersOf((socket) => {
    socket.write('\r\nBEGIN:VCALENDAR\r\n')
    const timer = setInterval(() => socket.write('x'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  expect(trickle).toBe('slow')
})

test('a server or name server that never responds times out', async () => {
  const canary = await open(() => undefined)
  const wish = { timeoutMs: 200 }
  expect(await failureOf(gateway(canary, wish).http.get('https://cal.example/', NOTHING))).toBe(
    'slow',
  )
  const http = makeOutsideHttp({
    publicUrl: 'https://care.example',
    testHosts: [],
    resolve: () => new Promise(() => undefined),
    ...wish,
  })
  expect(await failureOf(http.get('https://cal.example/', NOTHING))).toBe('slow')
})

test('a test server is read only on the port a setting names', async () => {
  const canary = await open()
  const host = `127.0.0.1:${canary.port}`
  const http = makeOutsideHttp({ publicUrl: 'https://care.example', testHosts: [host] })
  expect((await http.get(`http://${host}/a.ics`, NOTHING)).kind).toBe('whole')
  expect(await failureOf(http.get('http://127.0.0.1:1/a.ics', NOTHING))).toBe('address')
})
