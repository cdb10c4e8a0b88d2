import { connect, createServer, type Socket } from 'node:net'

/** A Postgres behind a proxy on its own port, which can simulate an outage. */
export type PostgresProxy = {
  /** The address of a database behind the proxy. */
  urlOf(database: string): string
  /** Closes every connection and refuses new ones, like a stopped server. */
  rejectConnections(): void
  /** Accepts connections and data but never responds, like a network that drops packets. */
  blackhole(): void
  /** Executes statements but never responds. */
  mute(): void
  /** Restores normal operation. */
  restore(): void
  [Symbol.asyncDispose](): Promise<void>
}

type State = 'up' | 'refusing' | 'swallowing' | 'mute'

/** Puts a proxy in front of the Postgres at `url`. Use it with `await using`. */
export async function startPostgresProxy(url: string): Promise<PostgresProxy> {
  const real = new URL(url)
  const sockets = new Set<Socket>()
  let state: State = 'up'

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  function pass(from: Socket, to: Socket, lostIn: readonly State[]): void {
    from.on('data', (chunk) => {
      if (!lostIn.includes(state)) to.write(chunk)
    })
    from.on('close', () => to.destroy())
  }

  const server = createServer((client) => {
    if (state === 'refusing') {
      client.resetAndDestroy()
      return
    }
    const upstream = keep(connect(Number(real.port), real.hostname))
    pass(keep(client), upstream, ['swallowing'])
    pass(upstream, client, ['swallowing', 'mute'])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    urlOf: (database) =>
      `postgres://${real.username}:${real.password}@127.0.0.1:${port}/${database}`,
    rejectConnections: () => {
      state = 'refusing'
      cut()
    },
    blackhole: () => {
      state = 'swallowing'
    },
    mute: () => {
      state = 'mute'
    },
    restore: () => {
      state = 'up'
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
