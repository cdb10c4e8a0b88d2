import { createFileRoute } from '@tanstack/react-router'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { VisitPage } from '#app/features/dashboard/visit-page.tsx'
import { ProviderVisitActions } from '#app/features/visits/provider-cancel.tsx'

// No loader: opening a visit is written down, so it is asked for once, by the page.
export const Route = createFileRoute('/_dashboard/doctor/visits/$visitId')({
  component: VisitScreen,
})

function VisitScreen() {
  return (
    <VisitPage
      {...Route.useParams()}
      renderActions={(visit) => (
        <ProviderVisitActions visit={visit} renderPicker={(picker) => <SlotPicker {...picker} />} />
      )}
    />
  )
}
