import { ClientOnly, Link, useLocation } from '@tanstack/react-router'
import { Heart } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { trpc } from '#app/trpc.ts'
import type { Favourite } from '#contract/profiles.ts'
import { useMe } from './use-me.ts'

type SaveButtonProps = { providerId: string; name: string }

const shape =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-brand-deep transition-colors duration-150 hover:bg-tint'

function HeartIcon({ isFull }: { isFull: boolean }) {
  return <Heart aria-hidden="true" className={cx('size-5', isFull && 'fill-accent text-accent')} />
}

/** For visitors: a link to sign in and return to this page. */
function SignInToSave({ name }: { name: string }) {
  const next = useLocation({ select: ({ href }) => href })
  return (
    <Link to="/sign-in" search={{ next }} title="Sign in to save" className={shape}>
      <HeartIcon isFull={false} />
      <span className="sr-only">Sign in to save {name}</span>
    </Link>
  )
}

/** Reserves the space, so that nothing moves when the heart appears. */
const placeholder = <span className="inline-block size-11" />

function Toggle({ providerId, name }: SaveButtonProps) {
  const { isPatient, isKnown, isSaved, problem, toggle } = useFavourite(providerId)
  if (isPatient === undefined) return placeholder
  // Providers and staff have no saved list.
  if (!isPatient) return null
  return (
    <span className="relative">
      <button
        type="button"
        aria-pressed={isSaved}
        aria-label={`Save ${name}`}
        title={isSaved ? 'Saved' : 'Save'}
        disabled={!isKnown}
        onClick={toggle}
        className={shape}
      >
        <HeartIcon isFull={isSaved} />
      </button>
      {problem !== undefined && (
        <span
          role="alert"
          className="absolute top-full right-0 z-10 w-56 rounded-field border border-danger bg-surface p-2 text-sm text-danger shadow-float"
        >
          {problem}
        </span>
      )}
    </span>
  )
}

/** A heart that adds a provider to the patient's saved list, or removes it. */
export function SaveButton(props: SaveButtonProps) {
  if (useSignedInUser() === null) return <SignInToSave name={props.name} />
  // Rendered in the browser only: the server does not know who is signed in.
  return (
    <ClientOnly fallback={placeholder}>
      <Toggle {...props} />
    </ClientOnly>
  )
}

/** The saved providers of the signed-in patient; not fetched for anyone else. */
function useFavourites(isPatient: boolean) {
  return trpc.profiles.favourites.useQuery({}, { enabled: isPatient })
}

function withoutProvider(list: readonly Favourite[], providerId: string): Favourite[] {
  return list.filter((one) => one.providerId !== providerId)
}

/**
 * Whether a provider is saved, and the toggle. Updates optimistically: on an error the previous state returns
 * and `problem` says why.
 */
function useFavourite(providerId: string) {
  const { data: me } = useMe()
  const isPatient = me?.kind === 'patient'
  const { data: saved } = useFavourites(isPatient)
  const utils = trpc.useUtils()
  const list = utils.profiles.favourites

  const onSettled = () => list.invalidate({})
  const saving = trpc.profiles.saveFavourite.useMutation({
    onMutate: async () => {
      await list.cancel({})
      const before = list.getData({})
      list.setData({}, (now = []) => [
        { providerId, savedAt: new Date().toISOString(), provider: null },
        ...withoutProvider(now, providerId),
      ])
      return { before }
    },
    onError: (_error, _input, context) => {
      list.setData({}, context?.before)
    },
    onSettled,
  })
  // Stays in the list until it is removed: in the list of saved providers, a failure is shown on its card.
  const removing = trpc.profiles.removeFavourite.useMutation({ onSettled })

  const isListed = saved?.some((one) => one.providerId === providerId) ?? false
  const isSaved = saving.isPending || (isListed && !removing.isPending)
  const error = saving.error ?? removing.error
  return {
    /** Undefined until the user is known. */
    isPatient: me === undefined ? undefined : isPatient,
    /** True once the list has loaded. */
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
