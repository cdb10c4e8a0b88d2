import { connect } from 'node:net'

export type Load = {
  port: number
  /** Sockets kept open, one request on each at a time. */
  connections: number
  /** The head of the next request, without the blank line; `null` ends the load. */
  next: () => string | null
}

const HEAD_END = '\r\n\r\n'

/** Length of the first whole answer in a buffer, 0 while there is none. Throws unless it is a 200. */
function answerLength(buffer: Buffer): number {
  const headEnd = buffer.indexOf(HEAD_END)
  if (headEnd < 0) return 0
  const head = buffer.toString('latin1', 0, headEnd)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.split('\r\n')[0])
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error('an answer without a length')
  const total = headEnd + HEAD_END.length + Number(length)
  return buffer.length >= total ? total : 0
}

function drive({ port, next }: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let pending: Buffer = Buffer.alloc(0)
    let answers = 0
    const ask = () => {
      const head = next()
      if (head === null) socket.end()
      else socket.write(`${head}\r\nhost: 127.0.0.1:${port}${HEAD_END}`)
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () => resolve(answers))
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      try {
        const length = answerLength(pending)
        if (length === 0) return
        pending = pending.subarray(length)
        answers++
        ask()
      } catch (error) {
        socket.destroy()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  })
}

/** Asks on all connections until `next` has no more, and says how many answers came. */
export async function run(load: Load): Promise<number> {
  const counts = await Promise.all(Array.from({ length: load.connections }, () => drive(load)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Answers per second over a stretch of time. */
export async function rate(load: Load, ms: number): Promise<number> {
  const start = performance.now()
  const until = start + ms
  const next = () => (performance.now() < until ? load.next() : null)
  const answers = await run({ ...load, next })
  return (answers / (performance.now() - start)) * 1_000
}

/** The head of a GET for a tRPC query. */
export function queryHead(path: string, input: object): string {
  return `GET /trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))} HTTP/1.1`
}
