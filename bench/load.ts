import autocannon from 'autocannon'

/** One GET request: path with query, and additional headers. */
export type Question = { path: string; headers?: Record<string, string> }

export type Load = {
  port: number
  /** Open connections, each with one request at a time. */
  connections: number
  /** Returns the next request, for whichever connection is free. */
  next: () => Question
}

type Extent = { amount: number } | { duration: number; sampleInt: number }

/** Throws unless every response has a 2xx status. */
async function runLoad(
  { port, connections, next }: Load,
  extent: Extent,
): Promise<autocannon.Result> {
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

/** Responses per second over a period of `ms` milliseconds. */
export async function rate(load: Load, ms: number): Promise<number> {
  // autocannon checks the time once per sample interval, so one interval spans the whole period.
  const result = await runLoad(load, { duration: ms / 1_000, sampleInt: ms })
  return result['2xx'] / result.duration
}

/** The path of a tRPC query. */
export function queryPath(path: string, input: object): string {
  return `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
}
