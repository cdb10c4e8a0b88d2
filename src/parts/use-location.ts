import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { NoPosition, ownPosition, type PositionFault } from '#app/lib/own-position.ts'
import { trpc } from '#app/trpc.ts'
import { type Region, regionFacts } from '#contract/region.ts'
import type { LocatedPlace } from '#contract/search.ts'

function faultSentence(fault: PositionFault, region: Region): string {
  const instead = `enter a ${regionFacts[region].codeWord} or a town`
  switch (fault) {
    case 'denied':
      return `Location is blocked for this site. Allow it in your browser’s settings, or ${instead}.`
    case 'unavailable':
      return `We couldn’t get your location. Try again, or ${instead}.`
    case 'unsupported':
      return `This browser can’t share your location. Please ${instead}.`
  }
}

function sentenceOf(error: unknown, region: Region): string {
  return error instanceof NoPosition
    ? faultSentence(error.fault, region)
    : describeFailure(error).sentence
}

/** "Use my location": what it found goes to `onFound`; `problem` says why there is nothing. */
export function useLocationOf(region: Region, onFound: (place: LocatedPlace) => void) {
  const { client } = trpc.useUtils()
  const locating = useMutation({
    mutationFn: async () => client.search.locate.mutate(await ownPosition()),
    onSuccess: onFound,
    retry: false,
  })
  const { error, data, isPending } = locating
  return {
    locate: () => locating.mutate(),
    forget: () => locating.reset(),
    isPending,
    problem: error === null ? undefined : sentenceOf(error, region),
    found: data,
  }
}
