import { addDays } from '#app/lib/calendar-days.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format.ts'
import { serverNow } from '#app/lib/server-clock.ts'
import { choiceOf, nearestTimes, type SlotChoice } from '#app/lib/slot-choice.ts'
import { SlotPill } from '#app/parts/slot-pill.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Hold } from '#contract/booking.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { CheckoutFrame } from './checkout-frame.tsx'

type KeptTimeProps = { hold: Hold; onLeave: () => void; isBusy: boolean }

function KeptTime({ hold, onLeave, isBusy }: KeptTimeProps) {
  const { provider, region, startsAt, timeZone, distance } = hold
  const when = `${formatDay(dayOf(startsAt, timeZone), timeZone)}, ${formatTime(startsAt, timeZone)}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-4">
      <div>
        <p className="font-semibold">{provider.name}</p>
        <p className="tabular">{when}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton
          to="/appointment/$doc_id"
          params={{ doc_id: provider.id }}
          search={{ region, ...choiceOf(startsAt, timeZone), distance: distance ?? undefined }}
        >
          Finish
          <span className="sr-only">
            {' '}
            {provider.name}, {when}
          </span>
        </LinkButton>
        <Button variant="secondary" isBusy={isBusy} onClick={onLeave}>
          Let it go
          <span className="sr-only">
            {' '}
            {provider.name}, {when}
          </span>
        </Button>
      </div>
    </li>
  )
}

/** Three times are kept already: finish one of them or let it go, then this one can be held. */
export function KeptTimes({ onFreed }: { onFreed: () => void }) {
  const utils = trpc.useUtils()
  const { data } = trpc.booking.holds.useQuery({}, { staleTime: 0 })
  const leave = trpc.payments.leave.useMutation({
    onSuccess: async () => {
      await utils.booking.holds.invalidate()
      onFreed()
    },
  })
  return (
    <CheckoutFrame title="Finish another booking first" lead={sentenceFor('too_many_holds')}>
      {data === undefined ? (
        <Skeleton className="h-48 w-full" />
      ) : (
        <ul className="border-b border-line">
          {data.map((hold) => (
            <KeptTime
              key={hold.id}
              hold={hold}
              isBusy={leave.isPending}
              onLeave={() => leave.mutate({ holdId: hold.id })}
            />
          ))}
        </ul>
      )}
      {leave.error && (
        <p role="alert" className="font-medium text-danger">
          {describeFailure(leave.error).sentence}
        </p>
      )}
    </CheckoutFrame>
  )
}

/** Looked at before the wanted day, so that the evening before counts as near. */
const DAYS_BEFORE = 3

type NearestFreeProps = {
  providerId: string
  wanted: SlotChoice
  timeZone: string
  onChoose: (choice: SlotChoice) => void
}

/** The three free times closest to the one that could not be had. */
export function NearestFree({ providerId, wanted, timeZone, onChoose }: NearestFreeProps) {
  const today = dayOf(serverNow(), timeZone)
  const start = addDays(wanted.date, -DAYS_BEFORE)
  const from = start < today ? today : start
  const { data, isPending } = trpc.availability.freeTimes.useQuery({ providerId, from })
  if (isPending) return <Skeleton className="h-32 w-full" />
  const near = nearestTimes(data?.days ?? [], wanted, timeZone)
  const [first] = near
  if (first === undefined) return null
  return (
    <section aria-labelledby="nearest">
      <h2 id="nearest" className="text-xl font-semibold">
        The nearest free times
      </h2>
      <ul className="mt-3 flex flex-col gap-2">
        {near.map((startsAt) => {
          const choice = choiceOf(startsAt, timeZone)
          return (
            <li key={startsAt} className="flex items-center gap-3">
              <SlotPill
                startsAt={startsAt}
                timeZone={timeZone}
                isSelected={false}
                onClick={() => onChoose(choice)}
              />
              <span aria-hidden="true">{formatRelativeDay(choice.date, timeZone)}</span>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-sm text-muted">{zoneLabel(first, timeZone)}</p>
    </section>
  )
}
