import autocannon from 'autocannon'

/** One GET: its path with the query, and headers besides the usual ones. */
export type Question = { path: string; headers?: Record<string, string> }

export type Load = {
  port: number
  /** Sockets kept open, one request on each at a time. */
  connections: number
  /** What is asked next, on whichever socket is free. */
  next: () => Question
}

type Extent = { amount: number } | { duration: number; sampleInt: number }

/** Throws unless every answer is of the 200s. */
async function fire({ port, connections, next }: Load, extent: Extent): Promise<autocannon.Result> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, ...next() }) }],
    ...extent,
  })
  const { errors, non2xx } = result
  if (errors + non2xx > 0) throw new Error(`${non2xx} refused, ${errors} without an answer`)
  return result
}

/** Asks so often, on all connections. */
export async function ask(load: Load, amount: number): Promise<void> {
  await fire(load, { amount })
}

/** Answers per second over a stretch of time in milliseconds. */
export async function rate(load: Load, ms: number): Promise<number> {
  // It looks at the clock once in an interval: there is one, as long as the stretch.
  const result = await fire(load, { duration: ms / 1_000, sampleInt: ms })
  return result['2xx'] / result.duration
}

/** The path of a tRPC query. */
export function queryPath(path: string, input: object): string {
  return `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
}
