import { createFileRoute } from '@tanstack/react-router'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { DeskPage } from '#app/features/dashboard/desk-page.tsx'
import { VisitPage } from '#app/features/dashboard/visit-page.tsx'
import { DeskActions } from '#app/features/visits/desk-actions.tsx'
import { ProviderVisitActions } from '#app/features/visits/provider-actions.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { isDeskId } from '#contract/base/ids.ts'

// No loader: every opening is recorded, so the visit is not kept in the cache, where a loader would put it.
export const Route = createFileRoute('/_dashboard/doctor/visits/$visitId')({
  component: VisitScreen,
})

function VisitScreen() {
  const { visitId } = Route.useParams()
  return (
    <LeaveGuard key={visitId}>
      <AnyVisit visitId={visitId} />
    </LeaveGuard>
  )
}

function AnyVisit({ visitId }: { visitId: string }) {
  if (isDeskId(visitId)) {
    return (
      <DeskPage
        visitId={visitId}
        renderActions={(visit) => (
          <DeskActions visit={visit} renderPicker={(picker) => <SlotPicker {...picker} />} />
        )}
      />
    )
  }
  return (
    <VisitPage
      visitId={visitId}
      renderActions={(visit) => (
        <ProviderVisitActions visit={visit} renderPicker={(picker) => <SlotPicker {...picker} />} />
      )}
    />
  )
}
