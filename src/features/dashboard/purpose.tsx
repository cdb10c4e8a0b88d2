import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { isDeskId } from '#contract/base/ids.ts'
import type { DayVisit } from '#contract/booking-provider.ts'

/** Basis of a follow-up fee: our records or the patient's statement. */
export const basisLabels = {
  history: 'Has visited you before',
  self_declared: 'Says they have seen you before',
} as const

type PurposeProps = {
  visit: Pick<DayVisit, 'id' | 'patientName'>
  /** Applied to the button. */
  className?: string
}

/** Purpose of a visit, or the desk's note: loaded only on request, as the server logs each read. */
export function Purpose({ visit, className }: PurposeProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { client } = trpc.useUtils()
  const ask = useMutation({
    mutationFn: async (visitId: DayVisit['id']) => {
      if (isDeskId(visitId)) return (await client.booking.deskNote.mutate({ id: visitId })).note
      return (await client.booking.purpose.mutate({ id: visitId })).purposeForVisit
    },
  })
  const what = isDeskId(visit.id) ? 'note' : 'purpose'
  const who = visit.patientName ?? 'this visit'
  return (
    <>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        isBusy={ask.isPending}
        className={cx('shrink-0', className)}
        onClick={() => {
          if (!isOpen && ask.data === undefined) ask.mutate(visit.id)
          setOpen(!isOpen)
        }}
      >
        {isOpen ? 'Hide' : 'Show'} {what}
        <span className="sr-only"> of {who}</span>
      </Button>
      <div id={id} aria-live="polite" className="basis-full empty:hidden">
        {isOpen && ask.data && (
          <p className="rounded-field bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
            {ask.data}
          </p>
        )}
        {isOpen && ask.error && (
          <p className="font-medium text-danger">{describeFailure(ask.error).sentence}</p>
        )}
      </div>
    </>
  )
}
