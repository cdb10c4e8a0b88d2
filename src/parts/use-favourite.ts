import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { Favourite } from '#contract/profiles.ts'
import { useMe } from './use-me.ts'

/** The saved providers of the patient who is signed in; nothing is asked for anybody else. */
function useFavourites(isPatient: boolean) {
  return trpc.profiles.favourites.useQuery({}, { enabled: isPatient })
}

function withOut(list: readonly Favourite[], providerId: string): Favourite[] {
  return list.filter((one) => one.providerId !== providerId)
}

/**
 * Whether a provider is saved, and the switch. It shows at once what was pressed; where the server
 * refuses, it shows what was before, and `problem` says why.
 */
export function useFavourite(providerId: string) {
  const { data: me } = useMe()
  const isPatient = me?.kind === 'patient'
  const { data: saved } = useFavourites(isPatient)
  const utils = trpc.useUtils()
  const list = utils.profiles.favourites

  /** Shows the list as it will be; gives it as it was. */
  const expectList = async (change: (now: readonly Favourite[]) => Favourite[]) => {
    await list.cancel({})
    const before = list.getData({})
    list.setData({}, (now) => change(now ?? []))
    return { before }
  }
  const shared = {
    onError: (_error: unknown, _input: unknown, context?: { before: Favourite[] | undefined }) => {
      list.setData({}, context?.before)
    },
    onSettled: () => list.invalidate({}),
  }
  const saving = trpc.profiles.saveFavourite.useMutation({
    onMutate: () =>
      expectList((now) => [
        { providerId, savedAt: new Date().toISOString(), provider: null },
        ...withOut(now, providerId),
      ]),
    ...shared,
  })
  const removing = trpc.profiles.removeFavourite.useMutation({
    onMutate: () => expectList((now) => withOut(now, providerId)),
    ...shared,
  })

  const isSaved = saved?.some((one) => one.providerId === providerId) ?? false
  const error = saving.error ?? removing.error
  return {
    /** Undefined until it is known who is signed in. */
    isPatient: me === undefined ? undefined : isPatient,
    /** Known only once the list is there. */
    isKnown: saved !== undefined,
    isSaved,
    problem: error === null ? undefined : describeFailure(error).sentence,
    toggle: () => {
      saving.reset()
      removing.reset()
      if (isSaved) removing.mutate({ providerId })
      else saving.mutate({ providerId })
    },
  }
}
