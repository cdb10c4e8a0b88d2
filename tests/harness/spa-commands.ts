import { join } from 'node:path'
import { defineBrowserCommand } from '@vitest/browser-playwright'
import type { Mail } from '#server/gateways/mail.ts'
import type { MadeProvider, makeProvider } from '#tests/harness/people.ts'
import type { ProviderWish, WireRequest, WireResponse } from '#tests/harness/spa-wire.ts'
import type { makeWorld, World } from '#tests/harness/world.ts'

const worlds = new Map<string, World>()

function worldOf(id: string): World {
  const world = worlds.get(id)
  if (world === undefined) throw new Error(`No world is open under ${id}`)
  return world
}

/** A path and not a specifier, so that Vite does not pack the whole server into its configuration. */
function harness(name: string): Promise<unknown> {
  return import(join(import.meta.dirname, name))
}

/** Builds a backend of its own for one browser test: in-memory database, frozen clock. */
const openWorld = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const parts = (await harness('world.ts')) as { makeWorld: typeof makeWorld }
  worlds.set(id, await parts.makeWorld())
})

/** Hands one request of the browser to the real Hono app, and its answer back. */
const askWorld = defineBrowserCommand(
  async (_context, id: string, wire: WireRequest): Promise<WireResponse> => {
    const answer = await worldOf(id).app.fetch(
      new Request(wire.url, {
        method: wire.method,
        headers: wire.headers,
        body: wire.body === '' ? null : Uint8Array.fromBase64(wire.body),
      }),
    )
    const body = new Uint8Array(await answer.arrayBuffer()).toBase64()
    return { status: answer.status, headers: [...answer.headers], body }
  },
)

/** Adds a provider to one test's backend, as `makeProvider` of people.ts does. */
const addProvider = defineBrowserCommand(
  async (_context, id: string, wish: ProviderWish): Promise<MadeProvider> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await harness('people.ts')) as { makeProvider: typeof makeProvider }
    return parts.makeProvider(worldOf(id), wish)
  },
)

/** Delivers what is owed and says which mails have left so far. */
const readMails = defineBrowserCommand(async (_context, id: string): Promise<Mail[]> => {
  const world = worldOf(id)
  await world.drainOutbox()
  return world.mails
})

/** Ends the backend of one test. */
const closeWorld = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  const world = worlds.get(id)
  worlds.delete(id)
  await world?.[Symbol.asyncDispose]()
})

/** What a browser test can ask of Node; registered in `vitest.config.ts`. */
export const spaCommands = { openWorld, askWorld, addProvider, readMails, closeWorld }
