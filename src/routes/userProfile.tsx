import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { FollowUpDialog } from '#app/features/booking/follow-up-dialog.tsx'
import { Visits } from '#app/features/booking/visits.tsx'
import { AccountPage } from '#app/features/profiles/account/account-page.tsx'
import { signedInUser, wasProvider } from '#app/lib/session.ts'
import { knownMe, prefetchMe } from '#app/parts/use-me.ts'
import { AppointmentId } from '#contract/ids.ts'

type AccountSearch = {
  /** The visit that has just been paid for: opens the follow-up modal. */
  booked?: string
}

export const Route = createFileRoute('/userProfile')({
  validateSearch: (raw: Record<string, unknown>): AccountSearch => {
    const booked = AppointmentId.safeParse(raw['booked'])
    return booked.success ? { booked: booked.data } : {}
  },
  beforeLoad: ({ location }) => {
    if (signedInUser() === null) {
      const as = wasProvider() ? { as: 'provider' as const } : {}
      throw redirect({ to: '/sign-in', search: { next: location.href, ...as }, replace: true })
    }
  },
  loader: ({ context }) => {
    prefetchMe(context)
    const me = knownMe(context)
    if (me === null || me.must_set_second_factor) return
    const { auth, accessTokens, booking, profiles } = context.utils
    void auth.sessions.prefetch()
    void accessTokens.list.prefetch()
    if (me.kind !== 'patient') return
    void profiles.details.prefetch()
    void booking.visits.prefetch({ when: 'coming' })
    void booking.visits.prefetch({ when: 'past' })
  },
  component: AccountScreen,
})

function AccountScreen() {
  const { booked } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <>
      <AccountPage visits={<Visits />} />
      <FollowUpDialog
        visitId={booked}
        onClose={() => void navigate({ search: {}, replace: true, resetScroll: false })}
      />
    </>
  )
}
