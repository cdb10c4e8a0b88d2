import { useState } from 'react'
import { dayOf, formatDay } from '#app/lib/format.ts'
import { Button } from '#app/ui/button.tsx'
import type { Visit } from '#contract/booking.ts'
import { CancelDialog } from './cancel-dialog.tsx'

/** What a patient can do with a coming visit of theirs. */
export function VisitActions({ visit }: { visit: Visit }) {
  const [isCancelling, setCancelling] = useState(false)
  const { provider, startsAt, timeZone } = visit
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  return (
    <>
      <Button variant="secondary" onClick={() => setCancelling(true)}>
        Cancel visit
        <span className="sr-only">
          {' '}
          with {provider.name}, {day}
        </span>
      </Button>
      <CancelDialog visit={visit} isOpen={isCancelling} onClose={() => setCancelling(false)} />
    </>
  )
}
