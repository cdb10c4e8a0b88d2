import { createFileRoute, useHydrated, useLocation, useNavigate } from '@tanstack/react-router'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { ContactForm } from '#app/features/messages/contact-form.tsx'
import { ProfilePage } from '#app/features/profiles/profile-page.tsx'
import { ProfilePending } from '#app/features/profiles/profile-pending.tsx'
import { readProfileSearch } from '#app/features/profiles/profile-search.ts'
import { ContinueLink } from '#app/features/profiles/profile-sections.tsx'
import {
  NothingFree,
  ProfileFailure,
  ProfileMissing,
} from '#app/features/profiles/profile-states.tsx'
import {
  chosenType,
  requestedMode,
  typeParam,
  VisitTypePicker,
} from '#app/features/profiles/visit-type-picker.tsx'
import { PlacesMap } from '#app/features/search/places-map.tsx'
import { choiceOfParams, choiceParamsOf, mainZoneOf } from '#app/lib/dates/slot-choice.ts'
import { readDistance } from '#app/lib/format/places.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { selectedRegion, useSelectedRegion } from '#app/lib/visitor-place.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { prefetchSpecialities } from '#app/parts/use-specialities.ts'
import { trpc } from '#app/trpc.ts'
import { ProviderId } from '#contract/base/ids.ts'
import { errorMessage } from '#contract/base/sentences.ts'

export const Route = createFileRoute('/doctor-profile/$id/$distance')({
  validateSearch: readProfileSearch,
  loaderDeps: ({ search: { type } }) => ({ type }),
  loader: async ({ context, params, deps, location }) => {
    const id = ProviderId.safeParse(params.id)
    if (!id.success) {
      // For the search that the page offers instead.
      const { region = selectedRegion() } = readProfileSearch(location.search)
      prefetchSpecialities(context.utils, region)
      return
    }
    const { search, availability } = context.utils
    // Both queries go in one batch: the times add under 2 ms and 1 kB, less than a second request would, and
    // are there when the page renders. Only the provider is awaited.
    void availability.freeTimes.prefetch({
      providerId: id.data,
      ...(deps.type !== undefined && { typeId: deps.type }),
    })
    // The page finds the error in the cache and shows it.
    await search.provider.prefetch({ id: id.data })
  },
  pendingComponent: ProfilePending,
  staticData: { isRendered: true },
  component: ProfileScreen,
})

function ProfileScreen() {
  const { id } = Route.useParams()
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
      <KnownProfile id={id} />
    </DataBoundary>
  )
}

function KnownProfile({ id }: { id: string }) {
  const params = Route.useParams()
  const search = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  // Navigation state survives a reload in the browser; the server cannot see it.
  const isHydrated = useHydrated()
  const isSlotTaken =
    useLocation({ select: ({ state }) => state.isSlotTaken === true }) && isHydrated
  const [profile] = trpc.search.provider.useSuspenseQuery({ id })
  // A search for video visits has chosen the mode already.
  const searched = useOwnSearch()?.search.mode === 'video' ? 'video' : undefined
  const asked = { type: search.type, mode: search.mode ?? searched }
  const type = chosenType(profile, asked)
  const typeId = typeParam(profile, type)
  const mainZone = mainZoneOf(profile)
  const { date, time, fold } = search
  const isTimeChosen = date !== undefined && time !== undefined
  return (
    <ProfilePage
      profile={profile}
      distance={readDistance(params.distance)}
      picker={
        <>
          <VisitTypePicker
            profile={profile}
            asked={asked}
            onAsk={(next) =>
              void navigate({
                // Another visit type has other times: clears the chosen one.
                search: { region: search.region ?? profile.region, date: search.date, ...next },
                state: ({ ownSearch }) => ownSearchState(ownSearch),
                resetScroll: false,
                replace: true,
              })
            }
          />
          <SlotPicker
            key={typeId}
            providerId={id}
            typeId={typeId}
            chosen={isTimeChosen ? choiceOfParams({ date, time, fold }, mainZone) : { date }}
            {...(isSlotTaken && { goneTitle: errorMessage('slot_taken') })}
            onChoose={({ which, ...next }) =>
              void navigate({
                search: {
                  region: search.region ?? profile.region,
                  ...next,
                  fold: which && choiceParamsOf(which.startsAt, mainZone).fold,
                  type: search.type,
                  mode: search.mode,
                },
                state: ({ ownSearch }) => ownSearchState(ownSearch),
                resetScroll: false,
                replace: true,
              })
            }
            renderContinue={(choice, { timeZone }) => (
              <ContinueLink
                id={id}
                region={profile.region}
                distance={params.distance}
                choice={choice}
                timeZone={timeZone}
                offersVideo={(type ?? profile).modes.includes('video')}
                type={typeId}
                mode={type && requestedMode(type, asked.mode)}
              />
            )}
            whenNothingIsFree={<NothingFree profile={profile} />}
          />
        </>
      }
      contact={<ContactForm provider={{ id, name: profile.name }} />}
      map={<PlacesMap profile={profile} />}
    />
  )
}
