import { useState } from 'react'
import { dayOf, formatDay } from '#app/lib/format.ts'
import { Button } from '#app/ui/button.tsx'
import type { Visit } from '#contract/booking.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { RenderPicker } from './picker.ts'
import { ProposedTimes } from './proposed-times.tsx'

type VisitActionsProps = { visit: Visit; renderPicker: RenderPicker }

/** What a patient can do with a coming visit of theirs. */
export function VisitActions({ visit, renderPicker }: VisitActionsProps) {
  const [act, setAct] = useState<'move' | 'cancel' | null>(null)
  const { provider, startsAt, timeZone } = visit
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  const which = (
    <span className="sr-only">
      {' '}
      with {provider.name}, {day}
    </span>
  )
  return (
    <div className="flex w-full flex-wrap gap-3">
      <ProposedTimes visit={visit} />
      <Button variant="secondary" onClick={() => setAct('move')}>
        Move visit{which}
      </Button>
      <Button variant="secondary" onClick={() => setAct('cancel')}>
        Cancel visit{which}
      </Button>
      {act === 'move' && (
        <MoveDialog
          visit={visit}
          renderPicker={renderPicker}
          onClose={() => setAct(null)}
          onCancel={() => setAct('cancel')}
        />
      )}
      <CancelDialog visit={visit} isOpen={act === 'cancel'} onClose={() => setAct(null)} />
    </div>
  )
}
