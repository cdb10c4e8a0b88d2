import { createFileRoute, useHydrated, useLocation, useNavigate } from '@tanstack/react-router'
import { CheckoutPage } from '#app/features/booking/checkout-page.tsx'
import { PaymentPanel } from '#app/features/payments/payment-panel.tsx'
import { ProfilePending } from '#app/features/profiles/profile-pending.tsx'
import {
  type AppointmentSearch,
  readAppointmentSearch,
} from '#app/features/profiles/profile-search.ts'
import { ProfileFailure, ProfileMissing } from '#app/features/profiles/profile-states.tsx'
import { mainZoneOf, paramsOfChoice } from '#app/lib/dates/slot-choice.ts'
import { selectedRegion, useSelectedRegion } from '#app/lib/visitor-place.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { prefetchSpecialities } from '#app/parts/use-specialities.ts'
import { trpc } from '#app/trpc.ts'
import { ProviderId } from '#contract/base/ids.ts'

export const Route = createFileRoute('/appointment/$doc_id')({
  validateSearch: readAppointmentSearch,
  loader: async ({ context, params, location }) => {
    const id = ProviderId.safeParse(params.doc_id)
    if (!id.success) {
      // For the search that the page offers instead.
      const { region = selectedRegion() } = readAppointmentSearch(location.search)
      prefetchSpecialities(context.utils, region)
      return
    }
    // The page finds the error in the cache and shows it.
    await context.utils.search.provider.prefetch({ id: id.data })
  },
  pendingComponent: ProfilePending,
  staticData: { isCheckout: true, isRendered: true },
  component: AppointmentScreen,
})

function AppointmentScreen() {
  const { doc_id: id } = Route.useParams()
  const search = Route.useSearch()
  const remembered = useSelectedRegion()
  const region = search.region ?? remembered
  if (!ProviderId.safeParse(id).success) return <ProfileMissing region={region} />
  return (
    <DataBoundary
      key={id}
      failed="This profile didn’t load"
      pending={<ProfilePending />}
      renderFailure={(failure) => <ProfileFailure {...failure} region={region} />}
    >
      <Checkout id={id} />
    </DataBoundary>
  )
}

/** The chosen time from the address, or else from the navigation state. */
function useChosen(): AppointmentSearch {
  const search = Route.useSearch()
  // Navigation state survives a reload in the browser; the server cannot see it.
  const isHydrated = useHydrated()
  const details = useLocation({ select: ({ state }) => state.bookingDetails })
  const isInAddress = search.date !== undefined && search.time !== undefined
  return isInAddress || !isHydrated ? search : { ...search, ...details }
}

function Checkout({ id }: { id: string }) {
  const [profile] = trpc.search.provider.useSuspenseQuery({ id })
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <CheckoutPage
      profile={profile}
      search={useChosen()}
      onStep={(step) =>
        void navigate({
          search: (now) => ({ ...now, step: step === 1 ? undefined : step }),
          state: true,
        })
      }
      onChoose={(choice) => {
        const chosen = paramsOfChoice(choice, mainZoneOf(profile))
        void navigate({ search: (now) => ({ ...now, ...chosen, step: undefined }) })
      }}
      onMode={(mode) =>
        void navigate({ search: (now) => ({ ...now, mode }), state: true, replace: true })
      }
      onBooked={(booked) => void navigate({ to: '/userProfile', search: { booked } })}
      renderPayment={(slot) => <PaymentPanel {...slot} />}
    />
  )
}
