import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format.ts'
import { choiceOf } from '#app/lib/slot-choice.ts'
import { askedOf } from '#app/lib/visit-asked.ts'
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
          search={{
            region,
            ...choiceOf(startsAt, timeZone),
            distance: distance ?? undefined,
            ...askedOf(hold),
          }}
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
