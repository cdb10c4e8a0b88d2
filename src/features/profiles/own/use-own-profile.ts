import { useMeChanged } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import type { OwnProfile } from '#contract/profiles-own.ts'

/** Shows what the server answered to a change, here and wherever else the profile is seen. */
export function useOwnSaved(): (profile: OwnProfile) => Promise<void> {
  const utils = trpc.useUtils()
  const meChanged = useMeChanged()
  return async (profile) => {
    utils.profiles.own.setData(undefined, profile)
    await Promise.all([meChanged(), utils.search.preview.invalidate()])
  }
}
