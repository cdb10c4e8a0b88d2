type Kind = 'query' | 'mutation'

type Call = {
  path: string
  input: unknown
  signal: AbortSignal | undefined
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type BatchingOptions = {
  url: string
  /** Most calls of one request. */
  maxItems: number
  /** Longest address of one request; longer batches are sent in parts. */
  maxUrlLength: number
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** What the server said instead of an answer; `data` is for `describeFailure` to read. */
class CallError extends Error {
  readonly data: unknown
  constructor(message: string, data: unknown) {
    super(message)
    this.name = 'CallError'
    this.data = data
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function inputsOf(calls: readonly Call[]): string {
  return JSON.stringify(Object.fromEntries(calls.map(({ input }, at) => [at, input])))
}

function addressOf(url: string, kind: Kind, calls: readonly Call[]): string {
  const address = `${url}/${calls.map(({ path }) => path).join(',')}?batch=1`
  return kind === 'query' ? `${address}&input=${encodeURIComponent(inputsOf(calls))}` : address
}

/** Aborts when nobody wants an answer any more; undefined while somebody cannot say so. */
function whenAllAborted(calls: readonly Call[]): AbortSignal | null {
  const signals = calls.flatMap(({ signal }) => signal ?? [])
  if (signals.length < calls.length) return null
  const controller = new AbortController()
  const check = () => {
    if (signals.every(({ aborted }) => aborted)) controller.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return controller.signal
}

function settle({ resolve, reject }: Call, answer: unknown): void {
  if (isObject(answer) && isObject(answer['result'])) return resolve(answer['result']['data'])
  const error = isObject(answer) ? answer['error'] : null
  reject(
    isObject(error)
      ? new CallError(String(error['message']), error['data'])
      : new CallError('Unable to read the answer of the server', null),
  )
}

async function send(options: BatchingOptions, kind: Kind, calls: readonly Call[]): Promise<void> {
  try {
    const response = await options.fetch(addressOf(options.url, kind, calls), {
      signal: whenAllAborted(calls),
      ...(kind === 'query'
        ? { method: 'GET' }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: inputsOf(calls),
          }),
    })
    const body: unknown = await response.json()
    // A request refused as a whole has one answer for everybody.
    for (const [at, call] of calls.entries()) settle(call, Array.isArray(body) ? body[at] : body)
  } catch (error) {
    for (const call of calls) call.reject(error)
  }
}

/** Full batches, in the order of the calls. */
function batchesOf(options: BatchingOptions, kind: Kind, calls: readonly Call[]): Call[][] {
  const batches: Call[][] = []
  for (const call of calls) {
    const grown = [...(batches.at(-1) ?? []), call]
    const fits =
      grown.length <= options.maxItems &&
      addressOf(options.url, kind, grown).length <= options.maxUrlLength
    if (fits && batches.length > 0) batches[batches.length - 1] = grown
    else batches.push([call])
  }
  return batches
}

export type Ask = (
  kind: Kind,
  call: { path: string; input: unknown; signal?: AbortSignal | undefined },
) => Promise<unknown>

/** Calls of one turn travel together, reads by GET and writes by POST, as tRPC's batches do. */
export function makeAsk(options: BatchingOptions): Ask {
  const waiting: Record<Kind, Call[]> = { query: [], mutation: [] }
  return (kind, { path, input, signal }) =>
    new Promise((resolve, reject) => {
      if (waiting[kind].length === 0) {
        setTimeout(() => {
          const calls = waiting[kind]
          waiting[kind] = []
          for (const batch of batchesOf(options, kind, calls)) void send(options, kind, batch)
        })
      }
      waiting[kind].push({ path, input, signal, resolve, reject })
    })
}

/** The rooms of a router as objects: `client.search.providers.query(input, { signal })`. */
export function makeClient<Client extends object>(ask: Ask): Client
export function makeClient(ask: Ask): object {
  return roomAt(ask, [])
}

function roomAt(ask: Ask, path: readonly string[]): object {
  const call =
    (kind: Kind) =>
    (input: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      ask(kind, { path: path.join('.'), input, signal })
  return new Proxy(
    {},
    {
      get(_target, key) {
        if (key === 'query') return call('query')
        if (key === 'mutate') return call('mutation')
        // A promise that resolves to a client asks whether it is one itself.
        return key === 'then' ? undefined : roomAt(ask, [...path, String(key)])
      },
    },
  )
}
