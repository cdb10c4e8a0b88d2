import type { Person } from '#demo/people/people.ts'
import { hash32, pickWeighted, randomFor } from '#demo/random.ts'
import type { Practice } from './practice.ts'

/** What a visit costs and how it works. Money in minor units. */
export type Offer = {
  amountMinor: number
  followAmountMinor: number
  consultationMinutes: number
  offersInPerson: boolean
  offersVideo: boolean
  followUpPolicy: 'trust' | 'require_history'
  freeCancelHours: number
  lateCancelPercent: number
  noShowPercent: number
}

const EXPENSIVE_TOWNS =
  /^(?:London|New York, NY|Brooklyn, NY|San Francisco, CA|Los Angeles, CA|Boston, MA|Washington, DC|Seattle, WA)$/

const roundTo = (step: number, value: number) => Math.round(value / step) * step

/** Fees, length, ways of meeting and policy of a person at their practice. */
export function offerOf(person: Person, practice: Practice): Offer {
  const random = randomFor(hash32(`offer ${person.region} ${person.index}`))
  const { facts, region } = person
  const isAccount = person.fixed !== undefined
  const local = EXPENSIVE_TOWNS.test(practice.locality) ? 1.22 : 1
  const experience = 0.86 + Math.min(person.years, 30) * 0.008
  const luck = isAccount ? 1 : 0.82 + random.next() * 0.36
  const amount = Math.max(25, roundTo(5, facts.fee[region] * local * experience * luck))
  const follow = Math.max(20, roundTo(5, amount * (0.56 + random.next() * 0.2)))
  const isDental = person.specialty.ukBody === 'GDC'
  const offersVideo = isAccount || random.chance(isDental ? 0.06 : 0.46)
  const [freeCancelHours, lateCancelPercent] = pickWeighted(random, [
    [[24, 50], 60],
    [[48, 50], 20],
    [[24, 100], 10],
    [[12, 25], 10],
  ] as const)
  return {
    amountMinor: amount * 100,
    followAmountMinor: follow * 100,
    consultationMinutes: isAccount ? 20 : random.pick(facts.minutes),
    offersInPerson: !offersVideo || isAccount || !random.chance(0.05),
    offersVideo,
    followUpPolicy: random.chance(0.85) ? 'trust' : 'require_history',
    freeCancelHours,
    lateCancelPercent,
    // Usual and simple: not coming costs the full fee, unless cancelling late is cheap.
    noShowPercent: lateCancelPercent === 25 ? 50 : 100,
  }
}
