import { createServer, type Socket } from 'node:net'

/** Chunks of one byte each (RFC 9112, 7.1), which take six on the wire. */
const CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(10_000))

/** Writes a chunked body of `bytes` chunks of one byte each, as fast as it is read. */
export async function writeTinyChunks(socket: Socket, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += 10_000) {
    if (socket.write(CHUNKS)) continue
    await new Promise<void>((go) => {
      for (const event of ['drain', 'close']) socket.once(event, go)
    })
  }
  if (!socket.destroyed) socket.write('0\r\n\r\n')
}

/** A server that answers every request with five megabytes in chunks of one byte each. */
export async function openTinyChunkServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/calendar\r\ntransfer-encoding: chunked\r\n\r\n',
      )
      void writeTinyChunks(socket, 5_000_000)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Runs `work` and returns by how many bytes this process grew at most meanwhile, resident and on the heap. */
export async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const sizes = () => {
    const { rss, heapUsed, external } = process.memoryUsage()
    return { rss, own: heapUsed + external }
  }
  const before = sizes()
  let most = 0
  const measure = () => {
    const now = sizes()
    most = Math.max(most, now.rss - before.rss, now.own - before.own)
  }
  const timer = setInterval(measure, 5)
  try {
    await work()
  } finally {
    clearInterval(timer)
    measure()
  }
  return most
}
