import { type LazyExoticComponent, lazy, type ReactElement } from 'react'
import { readStored, writeStored } from './storage.ts'

const CHUNK_ERROR = /dynamically imported module|module script|preload CSS/i

/** Timeout in case the network is connected but carries nothing. */
const TIMEOUT_MS = 5_000

/** How often an unreachable site is tried again while the browser believes that there is a network. */
const RETRY_MS = 5_000

/** Whether a code chunk could not be fetched: no network, or a release has replaced the file. */
export function isChunkLoadError(error: unknown): error is Error {
  return error instanceof Error && CHUNK_ERROR.test(error.message)
}

/** Whether the site responds; checked before anything that a browser tries only once. */
export async function isSiteReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    await fetch('/robots.txt', { method: 'HEAD', cache: 'no-store', signal })
    return true
  } catch {
    return false
  }
}

function whenOnline(): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true })
  })
}

/** Resolves once the site responds. */
export async function whenReachable(): Promise<void> {
  await whenOnline()
  if (await isSiteReachable()) return
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  await whenReachable()
}

const loading = new WeakMap<() => Promise<unknown>, Promise<unknown>>()

/**
 * Loads code that may not be on the page yet, once: `load` is its `import()`, and always the same function. Without a
 * network it waits for one, because browsers do not ask again for a module that failed. Rejects if the site responds but
 * the code cannot be had.
 */
export function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const known = loading.get(load)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this function returned
  if (known !== undefined) return known as Promise<Code>
  const code = loadNow(load)
  loading.set(load, code)
  code.catch(() => loading.delete(load))
  return code
}

async function loadNow<Code>(load: () => Promise<Code>): Promise<Code> {
  await whenOnline()
  try {
    return await load()
  } catch (error) {
    if (!isChunkLoadError(error) || (await isSiteReachable())) throw error
    await whenReachable()
    return load()
  }
}

type Component<Props> = (props: Props) => ReactElement | null

/** What opens at the press of a button: fetched in advance, it also opens after the network is lost. */
const early: (() => Promise<unknown>)[] = []

/** Fetches that code. Failures are ignored: opening it reports its own. */
export function prefetchCode(): void {
  void Promise.allSettled(early.map((load) => loadCode(load)))
}

/**
 * React's `lazy` for a component that is exported by name; without a network it waits for one. Its code is fetched in
 * advance if `isEarly`.
 */
export function late<Props>(
  load: () => Promise<Component<Props>>,
  isEarly = false,
): LazyExoticComponent<Component<Props>> {
  if (isEarly) early.push(load)
  return lazy(async () => ({ default: await loadCode(load) }))
}

/**
 * Reloads the page for a lost chunk, which browsers do not fetch again; returns whether it does. Reloads once per file
 * and tab session, and never if that cannot be stored, so that a missing file causes no reload loop.
 */
export function reloadOnce({ message }: Error): boolean {
  const key = `reloaded:${message}`
  if (readStored(key, 'session') !== null) return false
  writeStored(key, '1', 'session')
  const isStored = readStored(key, 'session') !== null
  if (isStored) location.reload()
  return isStored
}

/**
 * The router would reload the page for a lost chunk, also while the site is away: the browser's error page would then
 * replace it. The router recognizes such errors by the start of the message, which is changed here.
 */
export function preventRouterReload(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = `Lost: ${payload.message}`
  })
}
