import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'

const Value = z.object({
  stringValue: z.optional(z.string()),
  intValue: z.optional(z.union([z.int(), z.string()])),
})

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: Value })),
  status: z.object({ code: z.optional(z.int()) }),
})

const Sent = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

/** A span as received. */
export type ReceivedSpan = z.infer<typeof Span>

/** A trace collector on a free local port, which speaks OTLP over HTTP. */
export async function startTraceReceiver() {
  const received: { path: string; type: string; body: Buffer }[] = []
  const server = createServer((request, response) => {
    const take = async () => {
      const { url = '', headers } = request
      const body = await buffer(request)
      received.push({ path: url, type: headers['content-type'] ?? '', body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    void take()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    /** All received bodies as text. */
    text: () => received.map(({ body }) => body.toString('latin1')).join('\n'),
    /** The spans of all bodies received as JSON. */
    spans: (): ReceivedSpan[] =>
      received
        .map(({ body }) => Sent.parse(JSON.parse(body.toString())))
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
