import type { FreeTime } from '#bench/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

const STEP_MS = 30 * 60_000
const DAY_MS = 86_400_000
/** People choose among the earliest times of a few providers: others want them as well. */
const CHOICE = { providers: 8, times: 3 }
/** How long a page still shows a time that somebody has taken. */
const STALE_MS = 5_000

/** Times that are still free as far as clients know. */
export class FreeTimes {
  readonly #byProvider: Map<string, string[]>

  constructor(byProvider: Map<string, string[]>) {
    this.#byProvider = byProvider
  }

  /** One of the earliest times of some provider; others may get the same one. */
  pick(random: () => number): FreeTime {
    const left = [...this.#byProvider].filter(([, starts]) => starts.length > 0)
    const providers = left.slice(0, CHOICE.providers)
    const [providerId, starts = []] = providers[Math.floor(random() * providers.length)] ?? []
    const startsAt = starts[Math.floor(random() * Math.min(CHOICE.times, starts.length))]
    if (providerId === undefined || startsAt === undefined) throw new Error('No time is left.')
    return { providerId, startsAt }
  }

  /** Marks a time as just taken; others keep trying it for a few seconds. */
  take(time: FreeTime): void {
    setTimeout(() => this.drop(time), STALE_MS).unref()
  }

  /** Removes a time that is known to be gone. */
  drop({ providerId, startsAt }: FreeTime): void {
    const starts = this.#byProvider.get(providerId) ?? []
    const at = starts.indexOf(startsAt)
    if (at >= 0) starts.splice(at, 1)
  }
}

/** Creates this many providers around London, each with `count` half hours from the day after tomorrow on. */
export async function makeOffers(
  testApp: TestApp,
  { providers, count }: { providers: number; count: number },
): Promise<FreeTimes> {
  const first = Math.ceil(testApp.services.now() / STEP_MS) * STEP_MS + 2 * DAY_MS
  const slots = Array.from({ length: count }, (_, n) => first + n * STEP_MS)
  const byProvider = new Map<string, string[]>()
  for (let n = 0; n < providers; n += 1) {
    const place = { latitude: 51.4 + (n % 7) * 0.03, longitude: -0.3 + (n % 11) * 0.04 }
    const { id } = await makeProvider(testApp, { slots, place })
    byProvider.set(
      id,
      slots.map((start) => new Date(start).toISOString()),
    )
  }
  return new FreeTimes(byProvider)
}
