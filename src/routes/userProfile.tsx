import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { AccountPage } from '#app/features/account/account-page.tsx'
import {
  type AccountPageId,
  pageFor,
  readAccountPage,
} from '#app/features/account/account-pages.ts'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { FollowUpDialog } from '#app/features/booking/visit-dialogs.tsx'
import { Visits } from '#app/features/booking/visits.tsx'
import { VisitActions } from '#app/features/visits/visit-actions.tsx'
import { consentId } from '#app/lib/consent.ts'
import { mustSetUp, signedInUser, wasProvider } from '#app/lib/session.ts'
import { prefetchMe, whenSignedIn } from '#app/parts/use-me.ts'
import { AppointmentId } from '#contract/base/ids.ts'

type AccountSearch = {
  /** The account page to show: Visits, Saved, Details, Security or Data. */
  section?: AccountPageId
  /** The visit that has just been paid for: opens the follow-up modal. */
  booked?: string
}

export const Route = createFileRoute('/userProfile')({
  validateSearch: (raw: Record<string, unknown>): AccountSearch => {
    const booked = AppointmentId.safeParse(raw['booked'])
    const section = readAccountPage(raw['section'])
    return { ...(section && { section }), ...(booked.success && { booked: booked.data }) }
  },
  beforeLoad: ({ location }) => {
    if (signedInUser() === null) {
      const as = wasProvider() ? { as: 'provider' as const } : {}
      throw redirect({ to: '/sign-in', search: { next: location.href, ...as }, replace: true })
    }
  },
  loaderDeps: ({ search: { section } }) => ({ section }),
  loader: ({ context, deps: { section }, location }) => {
    prefetchMe(context)
    whenSignedIn(context, (me) => {
      if (mustSetUp(me)) return
      const { auth, accessTokens, booking, calendars, profiles, reminders } = context.utils
      const { id: page } = pageFor(me, section, location.hash)
      if (page === 'visits') {
        void booking.visits.prefetch({ when: 'coming' })
        void booking.visits.prefetch({ when: 'past' })
      }
      if (page === 'saved') void profiles.favourites.prefetch({})
      if (page === 'details' && me.kind === 'patient') void profiles.details.prefetch()
      if (page === 'reminders') void reminders.settings.prefetch()
      if (page === 'calendar') void calendars.list.prefetch()
      if (page === 'security') {
        void auth.sessions.prefetch()
        void accessTokens.list.prefetch()
      }
      const consentID = consentId()
      if (page === 'data' && consentID !== null) void profiles.consent.prefetch({ consentID })
    })
  },
  component: AccountScreen,
})

function AccountScreen() {
  const { booked, section } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <>
      <AccountPage
        page={section}
        visits={
          <Visits
            renderActions={(visit) => (
              <VisitActions visit={visit} renderPicker={(picker) => <SlotPicker {...picker} />} />
            )}
          />
        }
      />
      <FollowUpDialog
        visitId={booked}
        onClose={() => void navigate({ search: {}, replace: true, resetScroll: false })}
      />
    </>
  )
}
