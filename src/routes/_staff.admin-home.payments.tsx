import { createFileRoute } from '@tanstack/react-router'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { StaffOutcomeActions } from '#app/features/outcomes/staff-outcome.tsx'
import { PaymentsPage } from '#app/features/payments/staff/payments-page.tsx'
import {
  differencesInput,
  type StaffPaymentsSearch,
  staffInput,
} from '#app/features/payments/staff/staff-search.ts'
import { StaffVisitActions } from '#app/features/visits/staff-actions.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/payments')({
  // Parsed by the page: parsed here, the filters at their defaults would be written into the URL too.
  validateSearch: (raw: StaffPaymentsSearch) => raw,
  loaderDeps: ({ search: { visit: _visit, ...list } }) => list,
  // Reading names is recorded: not when a link is only hovered over.
  preload: false,
  loader: ({ context, deps }) => {
    whenStaff(context, ({ payments }) => {
      void payments.reviewCount.prefetch({})
      if (deps.show === 'review') void payments.reviews.prefetch({})
      else if (deps.show === 'differences')
        void payments.differences.prefetch(differencesInput(deps))
      else void payments.staffHistory.prefetch(staffInput(deps))
    })
  },
  component: PaymentsScreen,
})

function PaymentsScreen() {
  return (
    <PaymentsPage
      address={Route.useSearch()}
      renderActions={(visit) => (
        <>
          <StaffVisitActions visit={visit} renderPicker={(picker) => <SlotPicker {...picker} />} />
          <StaffOutcomeActions visit={visit} />
        </>
      )}
    />
  )
}
