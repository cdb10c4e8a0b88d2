import { X } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { Moment, SlotChoice } from '#app/lib/dates/slot-choice.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { MessageField } from '#app/parts/visits/cancel-reason-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { errorMessage } from '#contract/base/sentences.ts'
import { MAX_PROPOSED_TIMES } from '#contract/booking.ts'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { ProposeInput, type VisitTerms } from '#contract/visits.ts'
import { longMoment, type RenderPicker, StepTitle } from './move-parts.tsx'

const Schema = z.object({ note: ProposeInput.shape.note })

type ProposeProps = { visit: ProviderVisit; renderPicker: RenderPicker; onClose: () => void }

const timeText = ({ startsAt, timeZone }: Moment) => visitMoment(startsAt, timeZone)

type AddedTimesProps = { times: readonly Moment[]; onRemove: (time: Moment) => void }

function AddedTimes({ times, onRemove }: AddedTimesProps) {
  return (
    <section aria-label="Times to propose" aria-live="polite">
      <p className="font-semibold">
        Times to propose ({times.length} of {MAX_PROPOSED_TIMES})
      </p>
      {times.length === 0 ? (
        <p className="text-muted">Choose a time above and add it.</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {times.map((time) => (
            <li key={time.startsAt} className="tabular flex items-center justify-between gap-3">
              {timeText(time)}
              <IconButton label={`Remove ${timeText(time)}`} onClick={() => onRemove(time)}>
                <X aria-hidden="true" className="size-5" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type FormProps = Omit<ProposeProps, 'visit'> & { terms: VisitTerms; onDone: () => Promise<void> }

function ProposeForm({ terms, renderPicker, onClose, onDone }: FormProps) {
  const { client, visits, availability } = trpc.useUtils()
  const [times, setTimes] = useState<Moment[]>([])
  const [chosen, setChosen] = useState<Partial<SlotChoice>>({})
  const form = useForm({
    blank: { note: '' },
    schema: Schema,
    send: async ({ note }) => {
      const { id, sequence } = terms
      const slots = times.map(({ startsAt }) => ({ startsAt }))
      try {
        await client.visits.propose.mutate({ id, sequence, slots, ...(note ? { note } : {}) })
      } catch (refusal) {
        // Shows what has changed before asking again.
        await Promise.all([visits.providerTerms.invalidate(), availability.freeTimes.invalidate()])
        throw refusal
      }
    },
    onSent: onDone,
  })
  return (
    <FormFrame form={form} label="Propose times" failureTitle="The times weren’t proposed">
      <StepTitle takesFocus={false}>
        <span className="tabular">{longMoment(terms)}</span>&nbsp;– propose up to three times
      </StepTitle>
      {times.length < MAX_PROPOSED_TIMES &&
        renderPicker({
          providerId: terms.providerId,
          typeId: terms.typeId ?? undefined,
          chosen,
          onChoose: ({ date, time, which }) =>
            setChosen({
              ...(date !== undefined && { date }),
              ...(time !== undefined && { time }),
              which,
            }),
          renderContinue: (choice, at) => (
            <Button
              variant="secondary"
              className="w-full"
              disabled={times.some(({ startsAt }) => startsAt === at.startsAt)}
              onClick={() => {
                setTimes([...times, at])
                setChosen({ date: choice.date })
              }}
            >
              Add {timeText(at)}
            </Button>
          ),
          whenNothingIsFree: <p>There are no other free times.</p>,
        })}
      <AddedTimes
        times={times}
        onRemove={(gone) => setTimes(times.filter((one) => one !== gone))}
      />
      <Notice kind="info" title="These times won’t be held">
        <p>
          The visit stays as it is until the patient chooses a time, and others can book these times
          in the meantime. If the patient chooses one, they can cancel free of charge until the
          visit begins.
        </p>
      </Notice>
      <MessageField label="Message to the patient" {...form.text('note')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isBusy} disabled={times.length === 0}>
          Send to the patient
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Keep visit
        </Button>
      </div>
    </FormFrame>
  )
}

function Proposing({ visit, ...props }: ProposeProps) {
  const { booking } = trpc.useUtils()
  const [terms] = trpc.visits.providerTerms.useSuspenseQuery(
    { id: visit.id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const done = async () => {
    props.onClose()
    void showToast('We’ve sent the times to the patient.')
    await booking.invalidate()
  }
  return <ProposeForm {...props} terms={terms} onDone={done} />
}

const REFUSED = 'No times can be proposed'

function ProposeDialog(props: ProposeProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title="Propose times">
      {props.visit.proposalsLeft === 0 ? (
        <Notice role="status" title={REFUSED}>
          <p>{errorMessage('proposals_used_up')}</p>
        </Notice>
      ) : (
        <PartBoundary failed={REFUSED} pending={<PendingShapes shapes={['h-96']} />}>
          <Proposing {...props} />
        </PartBoundary>
      )}
    </Dialog>
  )
}

/** "Propose times" on the page of an upcoming visit. */
export function ProviderPropose({ visit, renderPicker }: Omit<ProposeProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Propose times
      </Button>
      {isOpen && (
        <ProposeDialog visit={visit} renderPicker={renderPicker} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
