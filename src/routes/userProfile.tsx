import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { FollowUpDialog } from '#app/features/booking/follow-up-dialog.tsx'
import { Visits } from '#app/features/booking/visits.tsx'
import { AccountPage } from '#app/features/profiles/account/account-page.tsx'
import { signedInUser, wasProvider } from '#app/lib/session.ts'
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
