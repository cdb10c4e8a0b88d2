import { useEffect } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay } from '#app/lib/format.ts'
import { useMe } from '#app/parts/use-me.ts'
import { CalendarButton } from '#app/parts/visit-buttons.tsx'
import { VisitDetails, VisitHeadline } from '#app/parts/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { clearPurpose } from './use-hold.ts'

type FollowUpDialogProps = { visitId: string | undefined; onClose: () => void }

/** Confirmation shown over the account page after a payment. */
export function FollowUpDialog({ visitId, onClose }: FollowUpDialogProps) {
  const { data: me } = useMe()
  const { data: visit, error } = trpc.booking.visit.useQuery(
    { id: visitId ?? '' },
    { enabled: visitId !== undefined },
  )
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
        <Notice kind="danger" role="alert" title="The details didn’t load">
          <p>{describeFailure(error).sentence}</p>
        </Notice>
      )}
      {visit === undefined && !error && <Skeleton className="h-64 w-full" />}
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
