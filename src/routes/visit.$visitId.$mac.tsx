import { createFileRoute } from '@tanstack/react-router'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { OpenMap } from '#app/features/search/places-map.tsx'
import { VisitLinkPage } from '#app/features/visits/link-page.tsx'

export const Route = createFileRoute('/visit/$visitId/$mac')({
  loader: async ({ context, params: { visitId: id, mac } }) => {
    // The page finds the error in the cache and shows it.
    await context.utils.visits.byLink.prefetch({ id, mac })
  },
  staticData: { isRendered: true },
  component: VisitLinkScreen,
})

function VisitLinkScreen() {
  const { visitId: id, mac } = Route.useParams()
  return (
    <VisitLinkPage
      link={{ id, mac }}
      renderMap={({ region, place }) => <OpenMap region={region} places={[place]} />}
      renderPicker={(picker) => <SlotPicker {...picker} />}
    />
  )
}
