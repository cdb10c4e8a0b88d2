import { instantOfChoice, type SlotChoice } from '#app/lib/dates/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import type { ProviderProfile } from '#contract/search.ts'

type ProviderPlaces = Pick<ProviderProfile, 'id' | 'places'>

/**
 * Practice location of a chosen time before it is held: the only one, or that of the free time; null while
 * unknown.
 */
export function usePlaceOfChoice(
  { id, places }: ProviderPlaces,
  choice: SlotChoice,
): string | null {
  const [main, other] = places
  const isOneOfSeveral = other !== undefined
  const { data } = trpc.availability.freeTimes.useQuery(
    { providerId: id, from: choice.date },
    { enabled: isOneOfSeveral },
  )
  if (!isOneOfSeveral) return main?.name ?? null
  const day = data?.days.find(({ date }) => date === choice.date)
  const wanted = instantOfChoice(choice, data?.timeZone ?? 'UTC')
  const slot = day?.slots.find(({ startsAt }) => startsAt === wanted)
  return slot?.place ?? null
}

/** Practice location of the next free time, if the provider has several; null otherwise, or while unknown. */
export function usePlaceOfNext({
  id,
  places,
  nextFree,
}: ProviderPlaces & Pick<ProviderProfile, 'nextFree'>): string | null {
  // The same input as the picker's, so that they share one request.
  const { data } = trpc.availability.freeTimes.useQuery(
    { providerId: id },
    { enabled: places.length > 1 && nextFree !== null },
  )
  if (places.length < 2 || nextFree === null) return null
  const at = Date.parse(nextFree)
  const slots = data?.days.flatMap((day) => day.slots) ?? []
  return slots.find(({ startsAt }) => Date.parse(startsAt) === at)?.place ?? null
}
