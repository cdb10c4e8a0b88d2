import { toIso } from '#contract/time.ts'
import type { Database } from '#db/engine.ts'
import type { FindEntry } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { findCurrentLoad, findEntry } from './register-store.ts'

/**
 * The embedded register: the list of each body that was read in last. Without one nobody can be looked
 * up, which is not the same as nobody being there.
 */
export function readRegisterTable({ db }: Database): FindEntry {
  return async (body, number) => {
    const load = await findCurrentLoad(db, body)
    if (load === undefined) {
      throw new UpstreamError(`The ${body} register`, new Error('no list of it was read in'))
    }
    const entry = await findEntry(db, load.no, number)
    if (entry === undefined) return null
    return { ...entry, source: `table ${toIso(load.finished_at ?? 0).slice(0, 10)}` }
  }
}
