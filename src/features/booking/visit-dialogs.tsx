import { useEffect } from 'react'
import { timeUntil } from '#app/lib/dates/server-clock.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { useMe } from '#app/parts/use-me.ts'
import { CalendarButton } from '#app/parts/visits/visit-buttons.tsx'
import { VisitDetails, VisitHeadline } from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { RadioCards, TextArea } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Visit } from '#contract/booking.ts'
import { type ClaimStatement, ContestInput } from '#contract/outcomes.ts'
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
  // The Back button leads here long after the payment.
  const isCancelled = visit?.state === 'cancelled'
  const when = visit && formatDay(dayOf(visit.startsAt, visit.timeZone), visit.timeZone, 'long')
  return (
    <Dialog
      isOpen={visitId !== undefined}
      onClose={onClose}
      title={isCancelled ? 'This visit is cancelled' : 'Your visit is booked'}
      footer={
        <>
          {visit && when && !isCancelled && (
            <CalendarButton
              visit={visit}
              what={`${visit.provider.name}, ${when}`}
              variant="primary"
              // On phones "Done" is beside the button, and the links to other calendars below both.
              className="max-sm:contents"
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
          {isCancelled ? (
            <p>It was booked and has been cancelled since.</p>
          ) : (
            <p>
              We’ve emailed the confirmation and a calendar file to{' '}
              <strong className="font-semibold wrap-anywhere">{me?.email ?? 'you'}</strong>.
            </p>
          )}
          <VisitDetails visit={visit} isShort />
        </div>
      )}
    </Dialog>
  )
}

/** Whether the patient can still contest a no-show, within the deadline. */
export function canContest({ outcome }: Visit): boolean {
  return outcome.contestUntil !== null && timeUntil(outcome.contestUntil) > 0
}

const choices: readonly { value: ClaimStatement; label: string }[] = [
  { value: 'was_there', label: 'I was there' },
  { value: 'not_held', label: 'The visit didn’t take place' },
]

type ContestValues = { id: string; says: ClaimStatement; words: string }

/** Form for a patient to contest being marked as absent. */
export function ContestDialog({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const utils = trpc.useUtils()
  const blank: ContestValues = { id: visit.id, says: 'was_there', words: '' }
  const form = useForm({
    blank,
    schema: ContestInput,
    send: (input) => utils.client.outcomes.contest.mutate(input),
    onSent: async () => {
      await utils.booking.invalidate()
      onClose()
      void showToast('Thank you. We’ll look into it and email you.')
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title="Tell us what happened">
      <FormFrame form={form} label="Tell us what happened" failureTitle="Not sent">
        <RadioCards
          name="says"
          legend="What happened?"
          choices={choices}
          value={form.values.says}
          onChange={(says) => form.set('says', says)}
        />
        <TextArea
          label="In your own words"
          hint="Our staff read this, and your provider doesn’t. Leave out medical details."
          counter={`${form.values.words.length} of 1,000`}
          {...form.text('words')}
        />
        <FormButtons send="Send" isBusy={form.isBusy} onCancel={onClose} />
      </FormFrame>
    </Dialog>
  )
}
