import { useEffect } from 'react'
import { dayOf, formatDay } from '#app/lib/format.ts'
import { useMe } from '#app/parts/use-me.ts'
import { CalendarButton } from '#app/parts/visit-buttons.tsx'
import { VisitDetails, VisitHeadline } from '#app/parts/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { LoadNotice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { clearPurpose } from './use-hold.ts'

type FollowUpDialogProps = { visitId: string | undefined; onClose: () => void }

/** Confirmation shown over the account page after a payment. */
export function FollowUpDialog({ visitId, onClose }: FollowUpDialogProps) {
  const { data: me } = useMe()
  const {
    data: visit,
    error,
    refetch,
  } = trpc.booking.visit.useQuery({ id: visitId ?? '' }, { enabled: visitId !== undefined })
  useEffect(() => {
    if (visitId !== undefined) clearPurpose()
  }, [visitId])
  const when = visit && formatDay(dayOf(visit.startsAt, visit.timeZone), visit.timeZone, 'long')
  return (
    <Dialog
      isOpen={visitId !== undefined}
      onClose={onClose}
      title="Your visit is booked"
      footer={
        <>
          {visit && when && (
            <CalendarButton
              visit={visit}
              what={`${visit.provider.name}, ${when}`}
              variant="primary"
            />
          )}
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {error && (
        <LoadNotice title="The details didn’t load" error={error} onRetry={() => void refetch()} />
      )}
      {visit === undefined && !error && <PendingShapes shapes={['h-64']} />}
      {visit && (
        <div className="flex flex-col gap-5">
          <VisitHeadline visit={visit} />
          <p>
            We’ve emailed the confirmation and a calendar file to{' '}
            <strong className="font-semibold wrap-anywhere">{me?.email ?? 'you'}</strong>.
          </p>
          <VisitDetails visit={visit} isShort />
        </div>
      )}
    </Dialog>
  )
}
