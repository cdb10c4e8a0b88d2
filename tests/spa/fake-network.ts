import { type MockInstance, vi } from 'vitest'
import * as z from 'zod/mini'
import type { ErrorCode } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'

// Slow, interrupted or altered network between the page and the real server. `vi.restoreAllMocks()` restores
// it.

type Interceptor = (address: string, send: () => Promise<Response>) => Promise<Response>

function interceptFetch(ask: Interceptor): MockInstance<typeof fetch> {
  const original = globalThis.fetch
  return vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const address = input instanceof Request ? input.url : input.toString()
    return ask(decodeURIComponent(address), () => original(input, init))
  })
}

/** Records the URL of every request from the page. */
export function recordRequests(): string[] {
  const asked: string[] = []
  interceptFetch((address, send) => {
    asked.push(address)
    return send()
  })
  return asked
}

/** One mutation of the page: its URL, request body and response. */
type Exchange = { address: string; sent: string; response: string }

/** Records every mutation of the page with its response. */
export function recordMutations(): Exchange[] {
  const writes: Exchange[] = []
  const original = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await original(input, init)
    if (typeof init?.body === 'string') {
      const address = input instanceof Request ? input.url : input.toString()
      writes.push({ address, sent: init.body, response: await response.clone().text() })
    }
    return response
  })
  return writes
}

/** Records when each request of one procedure is sent, by the page's clock. */
export function recordTimes(procedure: string): number[] {
  const times: number[] = []
  interceptFetch((address, send) => {
    if (address.includes(procedure)) times.push(Date.now())
    return send()
  })
  return times
}

/** Delays the requests of one procedure until the returned function is called. */
export function delayRequests(procedure: string): () => void {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  interceptFetch(async (address, send) => {
    if (address.includes(procedure)) await gate
    return send()
  })
  return () => release()
}

/** Lets one procedure run but delays its responses until the returned function is called. */
export function delayResponses(procedure: string): () => void {
  const gate = Promise.withResolvers<void>()
  interceptFetch(async (address, send) => {
    const response = await send()
    if (address.includes(procedure)) await gate.promise
    return response
  })
  return gate.resolve
}

/** Makes the requests of one procedure fail before they leave the page. */
export function failRequests(procedure: string): MockInstance<typeof fetch> {
  return interceptFetch((address, send) =>
    address.includes(procedure) ? Promise.reject(new TypeError('Failed to fetch')) : send(),
  )
}

/** Lets one procedure run but loses its response. */
export function loseResponse(procedure: string): MockInstance<typeof fetch> {
  return interceptFetch(async (address, send) => {
    const response = await send()
    if (address.includes(procedure)) throw new TypeError('Failed to fetch')
    return response
  })
}

/** Alters responses on their way to the page, as an older or different server might send them. */
export function changeResponses(change: (answer: string) => string): void {
  interceptFetch(async (_address, send) => {
    const answer = await send()
    const { status, headers } = answer
    return new Response(change(await answer.text()), { status, headers })
  })
}

/** Makes one procedure of every batch fail with a code, in the server's format. */
export function failProcedure(procedure: string, appCode: ErrorCode): MockInstance<typeof fetch> {
  const data = { appCode, details: {}, issues: [], requestId: 'TEST' }
  const failure = { error: { code: -32_000, message: errorMessage(appCode), data } }
  return interceptFetch(async (address, send) => {
    const answer = await send()
    const calls = new URL(address, location.origin).pathname.replace('/trpc/', '').split(',')
    if (!calls.includes(procedure)) return answer
    const parts = z.array(z.unknown()).parse(await answer.json())
    return Response.json(
      parts.map((part, index) => (calls[index] === procedure ? failure : part)),
      { status: 207 },
    )
  })
}

/** Input and output of the first recorded write to a procedure; in a batch, of its first call. */
export function findMutation(writes: ReturnType<typeof recordMutations>, procedure: string) {
  const write = writes.find(({ address }) => address.includes(procedure))
  const Input = z.record(z.string(), z.unknown())
  const Answer = z.object({ result: z.object({ data: Input }) })
  const sent: unknown = JSON.parse(write?.sent ?? 'null')
  const answer: unknown = JSON.parse(write?.response ?? 'null')
  const only = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
  const isBatch = typeof sent === 'object' && sent !== null && '0' in sent
  return {
    sent: Input.parse(isBatch ? sent['0'] : sent),
    answer: Answer.parse(only(answer)).result.data,
  }
}
