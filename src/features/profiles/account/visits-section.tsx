import { EmptyState } from '#app/ui/empty-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { AccountSection } from './account-section.tsx'

/** The patient's visits. Booking is not open here yet, so that there can be none. */
export function VisitsSection() {
  return (
    <AccountSection id="visits" title="Visits">
      <EmptyState
        level={3}
        title="No visits yet"
        actions={<LinkButton to="/home">Find a doctor or dentist</LinkButton>}
      >
        <p>What you book here will stand in this place, with when and where.</p>
      </EmptyState>
    </AccountSection>
  )
}
