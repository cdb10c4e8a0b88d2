import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeFailure } from './errors.ts'
import { refreshSession, signedInFetch, signedInUser } from './session.ts'
import { readStored, writeCookie, writeStored } from './storage.ts'

const LOCK = 'session-refresh'

beforeEach(() => {
  writeCookie('user_id', 'usr_1', 60)
  writeStored('isLoggedIn', 'true')
})

afterEach(() => {
  vi.restoreAllMocks()
  writeCookie('user_id', '', 0)
  localStorage.clear()
})

/** Reports new tokens as another tab that has refreshed. */
async function reportRenewal(): Promise<void> {
  const otherTab = new BroadcastChannel(LOCK)
  await new Promise((resolve) => {
    const heard = new BroadcastChannel(LOCK)
    heard.addEventListener('message', () => {
      heard.close()
      // The page's own channel may be told after this one.
      setTimeout(resolve, 50)
    })
    // BroadcastChannel is same-origin; only messages to windows take a target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    otherTab.postMessage('renewed')
  })
  otherTab.close()
}

// Some tests renew the session in the future. Files of a worker share this page, which would refresh nothing until then.
afterAll(reportRenewal)

/** When a request was sent whose tokens are older than any this page has. */
const now = () => performance.now() + 1

/** A network that connects and then carries nothing. */
const hang: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const signal = init?.signal
    signal?.addEventListener('abort', () => reject(new DOMException('Timed out', 'TimeoutError')))
  })

/** Time limits that are up when the returned function is called. */
function holdTimeouts(): () => void {
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  return () => limit.abort(new DOMException('Timed out', 'TimeoutError'))
}

/** Takes the lock as another tab that refreshes; the returned function lets go of it. */
async function refreshInOtherTab(): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await new Promise<void>((resolve) => {
    void navigator.locks.request(LOCK, () => {
      resolve()
      return gate.promise
    })
  })
  return gate.resolve
}

test('a refresh that hangs ends as a timeout, signs nobody out and lets the next one through', async () => {
  const timeOut = holdTimeouts()
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(hang)
  const failed = refreshSession(now()).catch((error: unknown) => describeFailure(error).code)
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  timeOut()
  expect(await failed).toBe('timeout')
  expect(signedInUser()).toBe('usr_1')
  expect(readStored('isLoggedIn')).toBe('true')
  vi.restoreAllMocks()
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ result: { data: {} } }))
  expect(await refreshSession(now())).toBe(true)
})

test('a request whose refresh gets no answer in time fails like one without network', async () => {
  const refused = () => Response.json([{ error: { data: { appCode: 'session_ended' } } }])
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) =>
    input === '/trpc/auth.refresh'
      ? Promise.reject(new DOMException('Timed out', 'TimeoutError'))
      : Promise.resolve(new Response(refused().body, { status: 401 })),
  )
  vi.spyOn(performance, 'now').mockReturnValue(now() + 1_000)
  await expect(signedInFetch('/trpc/booking.visits')).rejects.toThrow('Timed out')
  expect(signedInUser()).toBe('usr_1')
})

test('a clock that is set back after a refresh does not stop the next one', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation((input) =>
      Promise.resolve(
        input === '/trpc/auth.refresh'
          ? Response.json({ result: { data: {} } })
          : Response.json([{ error: { data: { appCode: 'session_ended' } } }], { status: 401 }),
      ),
    )
  const refreshes = () => asked.mock.calls.filter(([input]) => input === '/trpc/auth.refresh')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  await signedInFetch('/trpc/booking.visits')
  clock.mockRestore()
  // Tokens of the same instant would count as newer than the request.
  const renewed = performance.now()
  await expect.poll(() => performance.now()).toBeGreaterThan(renewed)
  await signedInFetch('/trpc/booking.visits')
  expect(refreshes()).toHaveLength(2)
})

test('a tab waits for one that refreshes, and asks for nothing once that has new tokens', async () => {
  const asked = vi.spyOn(globalThis, 'fetch')
  const since = now()
  const letGo = await refreshInOtherTab()
  const refreshed = refreshSession(since)
  // Tokens of the same millisecond would count as older.
  await expect.poll(() => performance.now()).toBeGreaterThanOrEqual(since)
  await reportRenewal()
  letGo()
  expect(await refreshed).toBe(true)
  expect(asked).not.toHaveBeenCalled()
})

test('a tab that waited for a refresh that failed asks for itself', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValue(Response.json({ result: { data: {} } }))
  const letGo = await refreshInOtherTab()
  const refreshed = refreshSession(now())
  expect(asked).not.toHaveBeenCalled()
  letGo()
  expect(await refreshed).toBe(true)
  expect(asked).toHaveBeenCalledOnce()
})

test('a tab waits no longer for another than for its own refresh', async () => {
  const timeOut = holdTimeouts()
  const letGo = await refreshInOtherTab()
  const failed = refreshSession(now()).catch((error: unknown) => describeFailure(error).code)
  timeOut()
  expect(await failed).toBe('timeout')
  expect(signedInUser()).toBe('usr_1')
  letGo()
})

test('a tab whose session ended while it waited asks for nothing', async () => {
  const asked = vi.spyOn(globalThis, 'fetch')
  const letGo = await refreshInOtherTab()
  const refreshed = refreshSession(now())
  writeCookie('user_id', '', 0)
  letGo()
  expect(await refreshed).toBe(false)
  expect(asked).not.toHaveBeenCalled()
})

test('a request counts as unattended once nobody has touched the page for a minute', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation((input) =>
      Promise.resolve(
        input === '/trpc/auth.refresh'
          ? Response.json({ result: { data: {} } })
          : Response.json([{ error: { data: { appCode: 'session_ended' } } }], { status: 401 }),
      ),
    )
  const unattended = async () => {
    asked.mockClear()
    await signedInFetch('/trpc/booking.today', { headers: { 'x-own': 'kept' } })
    return asked.mock.calls.map(([input, init]) => {
      const headers = new Headers(init?.headers)
      return [input, headers.has('x-unattended'), headers.get('x-own')]
    })
  }
  const sent = (isUnattended: boolean) => [
    ['/trpc/booking.today', isUnattended, 'kept'],
    ['/trpc/auth.refresh', isUnattended, null],
    ['/trpc/booking.today', isUnattended, 'kept'],
  ]
  let at = performance.now() + 10_000
  vi.spyOn(performance, 'now').mockImplementation(() => (at += 1))
  dispatchEvent(new Event('keydown'))
  at += 59_000
  expect(await unattended()).toEqual(sent(false))
  at += 2_000
  expect(await unattended()).toEqual(sent(true))
  dispatchEvent(new Event('pointerdown'))
  expect(await unattended()).toEqual(sent(false))
})

test('a request of one user is not sent again as another who has signed in meanwhile', async () => {
  const refused = [{ error: { data: { appCode: 'session_ended' } } }]
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    if (input !== '/trpc/auth.refresh') {
      return Promise.resolve(Response.json(refused, { status: 401 }))
    }
    writeCookie('user_id', 'usr_2', 60)
    return Promise.resolve(Response.json({ result: { data: {} } }))
  })
  vi.spyOn(performance, 'now').mockReturnValue(now() + 1_000_000)
  const { status } = await signedInFetch('/trpc/profiles.updateDetails', { method: 'POST' })
  expect(status).toBe(401)
  expect(asked.mock.calls.map(([input]) => input)).toEqual([
    '/trpc/profiles.updateDetails',
    '/trpc/auth.refresh',
  ])
})

test('a refresh that the server cannot answer now fails as that, not as signed out', async () => {
  const data = { appCode: 'busy', httpStatus: 503, details: {}, issues: [], requestId: 'R' }
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) =>
    Promise.resolve(
      input === '/trpc/auth.refresh'
        ? Response.json({ error: { code: -32_000, message: 'Busy.', data } }, { status: 503 })
        : Response.json([{ error: { data: { appCode: 'sign_in_required' } } }], { status: 401 }),
    ),
  )
  vi.spyOn(performance, 'now').mockReturnValue(now() + 2_000_000)
  const failed = signedInFetch('/trpc/booking.today').catch((error: unknown) => error)
  expect(describeFailure(await failed).code).toBe('busy')
  expect(signedInUser()).toBe('usr_1')
})
