import { createFileRoute } from '@tanstack/react-router'
import { OwnProfilePage, PreviewPage } from '#app/features/profiles/own/own-profile-page.tsx'
import { PlacesMap } from '#app/features/search/places-map.tsx'
import { isKnownProvider } from '#app/parts/use-me.ts'

type ProfileView = { view?: 'preview' }

export const Route = createFileRoute('/_dashboard/doctor/profile')({
  validateSearch: (raw: Record<string, unknown>): ProfileView =>
    raw['view'] === 'preview' ? { view: 'preview' } : {},
  loaderDeps: ({ search: { view } }) => ({ view }),
  loader: ({ context, deps }) => {
    if (!isKnownProvider(context)) return
    const { profiles, search } = context.utils
    void (deps.view === 'preview' ? search.preview.prefetch() : profiles.own.prefetch())
  },
  component: ProfileScreen,
})

function ProfileScreen() {
  const { view } = Route.useSearch()
  if (view === 'preview')
    return <PreviewPage renderMap={(profile) => <PlacesMap profile={profile} />} />
  return <OwnProfilePage />
}
