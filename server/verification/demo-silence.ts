import { SILENT_NUMBERS } from '#db/reference/demo-silent.ts'
import type { FindEntry } from '#server/gateways/registers.ts'
import { UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'

/** The demo's registers: about one number of each they do not answer, so that this can be seen. */
export function demoSilence(find: FindEntry): FindEntry {
  return (body, number) => {
    if (number !== SILENT_NUMBERS[body]) return find(body, number)
    const words = new UpstreamWords(`The ${body} register is closed for maintenance.`)
    return Promise.reject(new UpstreamError(`The ${body} register`, words))
  }
}
