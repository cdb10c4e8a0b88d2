import { connect, createServer, type Socket } from 'node:net'

/** A statement as sent over the wire; `name` is empty for an unnamed one. */
export type SentStatement = { name: string; text: string }

/** A Postgres behind a proxy that records the statements. */
export type RecordedPostgres = {
  /** The address of a database behind the proxy. */
  urlOf(database: string): string
  statements: SentStatement[]
  /** Names of the startup parameters of connections, such as `user`. */
  parameters: Set<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Length and protocol version. */
const STARTUP_HEAD = 8
/** Type and length; the length includes itself. */
const HEAD = 5

function textsIn(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\0')
}

/** Parses what a client sends. Connections without TLS only. */
function makeReader({
  statements,
  parameters,
}: Pick<RecordedPostgres, 'statements' | 'parameters'>) {
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false

  function take(length: number): Buffer {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }

  function readMessage(type: string, [first = '', second = '']: string[]): void {
    if (type === 'Q') statements.push({ name: '', text: first })
    if (type === 'P') statements.push({ name: first, text: second })
  }

  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEAD) {
      const length = isBegun ? 1 + rest.readUInt32BE(1) : rest.readUInt32BE(0)
      if (rest.length < length) return
      const message = take(length)
      if (isBegun) readMessage(message.toString('latin1', 0, 1), textsIn(message.subarray(HEAD)))
      else {
        const pairs = textsIn(message.subarray(STARTUP_HEAD))
        for (const [at, text] of pairs.entries()) {
          if (at % 2 === 0 && text !== '') parameters.add(text)
        }
      }
      isBegun = true
    }
  }
}

/** Puts such a proxy in front of the Postgres at `url`. Use it with `await using`. */
export async function recordedPostgres(url: string): Promise<RecordedPostgres> {
  const real = new URL(url)
  const record = { statements: [] as SentStatement[], parameters: new Set<string>() }
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(Number(real.port), real.hostname)
    const read = makeReader(record)
    client.on('data', read)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    ...record,
    urlOf: (database) =>
      `postgres://${real.username}:${real.password}@127.0.0.1:${port}/${database}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
