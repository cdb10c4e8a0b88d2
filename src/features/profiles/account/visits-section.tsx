import type { ReactNode } from 'react'
import { AccountSection } from './account-section.tsx'

/** The patient's visits; the list comes from another room. */
export function VisitsSection({ children }: { children: ReactNode }) {
  return (
    <AccountSection id="visits" title="Visits">
      {children}
    </AccountSection>
  )
}
