import { createFileRoute } from '@tanstack/react-router'
import { PhotoSection } from '#app/features/account/photo-section.tsx'
import { OwnProfilePage } from '#app/features/profiles/own/own-profile-page.tsx'
import { PreviewPage } from '#app/features/profiles/own/preview-page.tsx'
import { PlacesMap } from '#app/features/search/places-map.tsx'
import { whenProvider } from '#app/parts/use-me.ts'
import { prefetchSpecialities } from '#app/parts/use-specialities.ts'

type ProfileView = { view?: 'preview' }

export const Route = createFileRoute('/_dashboard/doctor/profile')({
  validateSearch: (raw: Record<string, unknown>): ProfileView =>
    raw['view'] === 'preview' ? { view: 'preview' } : {},
  loaderDeps: ({ search: { view } }) => ({ view }),
  loader: ({ context, deps }) => {
    whenProvider(context, (utils, { region }) => {
      if (deps.view === 'preview') return void utils.search.preview.prefetch()
      void utils.profiles.own.prefetch()
      prefetchSpecialities(utils, region)
    })
  },
  component: ProfileScreen,
})

function ProfileScreen() {
  const { view } = Route.useSearch()
  if (view === 'preview')
    return <PreviewPage renderMap={(profile) => <PlacesMap profile={profile} />} />
  return <OwnProfilePage renderPhoto={(me) => <PhotoSection me={me} />} />
}
