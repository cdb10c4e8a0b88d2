import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { visitMoment } from '#app/lib/words.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Visit } from '#contract/booking.ts'
import type { ProposedTimes as Proposed } from '#contract/booking-proposed.ts'
import { ConfirmStep } from './confirm-move.tsx'
import { longMoment } from './move-parts.tsx'

type AskedProps = { visit: Visit; proposed: Proposed }

function Asked({ visit, proposed }: AskedProps) {
  const { client, booking, availability } = trpc.useUtils()
  const [chosen, setChosen] = useState<string | null>(null)
  const [gone, setGone] = useState<string | null>(null)
  const { at, note, times } = proposed
  const keeping = useMutation({
    mutationFn: () => client.visits.keepTime.mutate({ id: visit.id, at }),
    onSuccess: async () => {
      void showToast('Your visit stays at its time.')
      await booking.invalidate()
    },
  })
  const isElsewhere = times.some(({ place }) => place !== visit.place.name)
  const failure = keeping.error ? describeFailure(keeping.error).sentence : gone
  return (
    <section
      aria-label={`${visit.provider.name} asks whether another time suits you`}
      className="flex w-full flex-col gap-3 rounded-card border border-accent bg-accent-tint p-4"
    >
      <p className="font-semibold">{visit.provider.name} asks whether another time suits you</p>
      {note && <p className="wrap-anywhere">“{note}”</p>}
      <ul className="flex flex-col gap-2">
        {times.map((time) => (
          <li key={time.startsAt}>
            <Button
              variant="secondary"
              className="tabular w-full py-2"
              onClick={() => {
                setGone(null)
                setChosen(time.startsAt)
              }}
            >
              {longMoment(time)}
              {isElsewhere && `, ${time.place}`}
            </Button>
          </li>
        ))}
      </ul>
      <p className="text-sm">
        These times aren’t held for you. Your visit stays as it is unless you choose one.
      </p>
      {failure !== null && (
        <Notice kind="danger" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      <Button variant="quiet" isBusy={keeping.isPending} onClick={() => keeping.mutate()}>
        Keep my time
      </Button>
      {chosen !== null && (
        <Dialog isOpen onClose={() => setChosen(null)} title="Move this visit">
          <ConfirmStep
            visit={visit}
            choice={{ startsAt: chosen }}
            back="Back"
            onBack={() => setChosen(null)}
            onMoved={async ({ startsAt, timeZone }) => {
              setChosen(null)
              void showToast(`Your visit is moved to ${visitMoment(startsAt, timeZone)}.`)
              await Promise.all([booking.invalidate(), availability.invalidate()])
            }}
            onGone={async (sentence) => {
              setChosen(null)
              setGone(sentence)
              await booking.invalidate()
            }}
          />
        </Dialog>
      )}
    </section>
  )
}

/** What the provider of a coming visit asks: each time leads to confirming it. Nothing where nothing is asked. */
export function ProposedTimes({ visit }: { visit: Visit }) {
  const { proposed } = visit
  // Another question is not the one that was being answered.
  return proposed === null ? null : <Asked key={proposed.at} visit={visit} proposed={proposed} />
}
