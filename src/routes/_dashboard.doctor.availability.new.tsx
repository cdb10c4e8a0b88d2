import { createFileRoute } from '@tanstack/react-router'
import { AvailabilityNewPage } from '#app/features/availability/editor/availability-new-page.tsx'
import { prefetchHours } from '#app/features/availability/own/own-hours.tsx'
import { whenProvider } from '#app/parts/use-me.ts'

type NewView = { view?: 'dates' }

export const Route = createFileRoute('/_dashboard/doctor/availability/new')({
  validateSearch: (raw: Record<string, unknown>): NewView =>
    raw['view'] === 'dates' ? { view: 'dates' } : {},
  loaderDeps: ({ search: { view } }) => ({ isEditor: view === undefined }),
  loader: ({ context, deps }) => {
    whenProvider(context, (utils) => void prefetchHours(utils, deps))
  },
  component: NewScreen,
})

function NewScreen() {
  const { view } = Route.useSearch()
  return <AvailabilityNewPage half={view === 'dates' ? 'dates' : 'hours'} />
}
