import { ChevronDown } from 'lucide-react'
import { useMedia, WIDE } from '#app/lib/browser-hooks.ts'
import { dayOf, formatDay, formatTime, zoneLabel } from '#app/lib/format.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { cancellationSentence, visitTypeText } from '#app/lib/visit-text.ts'
import { ProviderPhoto } from '#app/parts/provider-photo.tsx'
import { usePlaceOfChoice } from '#app/parts/use-place-of-time.ts'
import { Fact, FactList, VisitPlace, VisitTime } from '#app/parts/visit-facts.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Hold } from '#contract/booking.ts'
import { formatExactMoney } from '#contract/money.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { HoldClock } from './hold-clock.tsx'
import type { UpdateHold } from './use-hold.ts'

type SummaryProps = { hold: Hold; update: UpdateHold; onOtherTime: () => void }

type HoldSummaryProps = SummaryProps & {
  /** True while a request runs during which nothing may be pressed. */
  isBusy: boolean
}

function ProviderLine({ hold }: { hold: Hold }) {
  return (
    <div className="flex items-center gap-4">
      <ProviderPhoto name={hold.provider.name} photo={hold.provider.photo} size="small" isEager />
      <div className="min-w-0">
        <p className="font-display text-lg leading-tight font-medium">{hold.provider.name}</p>
        <p className="text-muted">{hold.provider.specialty}</p>
      </div>
    </div>
  )
}

function holdCancellation(hold: Hold): string {
  const { typeOfVisit: type, fees } = hold
  return cancellationSentence(hold, type, fees[type])
}

function Fee({ hold }: { hold: Hold }) {
  return (
    <span className="flex flex-wrap items-baseline justify-between gap-x-3">
      {visitTypeText(hold)}
      <span className="tabular text-lg font-semibold">
        {formatExactMoney(hold.fees[hold.typeOfVisit])}
      </span>
    </span>
  )
}

function OtherTimeButton({ onOtherTime }: Pick<SummaryProps, 'onOtherTime'>) {
  return (
    <Button variant="quiet" className="-mx-4" onClick={onOtherTime}>
      Choose another time
    </Button>
  )
}

function WideSummary({ hold, update, onOtherTime }: SummaryProps) {
  return (
    <div className="sticky top-4 overflow-hidden rounded-card border border-line bg-surface">
      <HoldClock hold={hold} update={update} className="px-6" />
      <div className="flex flex-col gap-5 p-6">
        <ProviderLine hold={hold} />
        <FactList className="border-t border-line pt-5 [&>div]:block! [&_dt]:text-sm">
          <Fact name="When">
            <VisitTime visit={hold} />
          </Fact>
          <Fact name="Where">
            <VisitPlace visit={hold} />
          </Fact>
          <Fact name="Fee">
            <Fee hold={hold} />
          </Fact>
          <Fact name="If you cancel">{holdCancellation(hold)}</Fact>
        </FactList>
        <div className="border-t border-line pt-3">
          <OtherTimeButton onOtherTime={onOtherTime} />
        </div>
      </div>
    </div>
  )
}

function NarrowSummary({ hold, update, onOtherTime }: SummaryProps) {
  const { startsAt, timeZone } = hold
  return (
    <>
      <HoldClock
        hold={hold}
        update={update}
        className="sticky top-0 z-10 -mx-4 border-b border-line sm:-mx-6 sm:px-6"
      />
      <div className="mt-4 rounded-card border border-line bg-surface">
        <div className="flex flex-col gap-3 p-4">
          <ProviderLine hold={hold} />
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="tabular font-semibold">
              {formatDay(dayOf(startsAt, timeZone), timeZone)}, {formatTime(startsAt, timeZone)}
            </span>
            <span className="tabular font-semibold">
              {formatExactMoney(hold.fees[hold.typeOfVisit])}
            </span>
          </p>
        </div>
        <details className="group border-t border-line">
          <summary className="flex min-h-11 list-none items-center justify-between gap-2 px-4 font-medium text-brand-deep [&::-webkit-details-marker]:hidden">
            Place, fee and cancelling
            <ChevronDown
              aria-hidden="true"
              className="size-5 transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <div className="flex flex-col gap-3 px-4 pb-3">
            <FactList>
              <Fact name="When">
                <VisitTime visit={hold} />
              </Fact>
              <Fact name="Where">
                <VisitPlace visit={hold} />
              </Fact>
              <Fact name="Fee">
                <Fee hold={hold} />
              </Fact>
              <Fact name="If you cancel">{holdCancellation(hold)}</Fact>
            </FactList>
            <OtherTimeButton onOtherTime={onOtherTime} />
          </div>
        </details>
      </div>
    </>
  )
}

/** Summary next to every step: provider, place, time, fee and cancellation terms. */
export function HoldSummary({ isBusy, ...props }: HoldSummaryProps) {
  const isWide = useMedia(WIDE)
  return (
    // On phones the countdown is sticky, so its parent must be the page itself.
    <aside aria-label="Your appointment" className="max-lg:contents">
      <h2 className="sr-only">Your appointment</h2>
      <fieldset disabled={isBusy} className="contents">
        {isWide ? <WideSummary {...props} /> : <NarrowSummary {...props} />}
      </fieldset>
    </aside>
  )
}

type ChoiceSummaryProps = { profile: ProviderProfile; choice: SlotChoice; timeZone: string }

/** Provider and time before there is a hold, to return to after signing in. */
export function ChoiceSummary({ profile, choice, timeZone }: ChoiceSummaryProps) {
  const where = usePlaceOfChoice(profile, choice)
  return (
    <div className="flex items-center gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <ProviderPhoto name={profile.name} photo={profile.photo} size="small" isEager />
      <div className="min-w-0">
        <p className="font-display text-lg leading-tight font-medium">{profile.name}</p>
        <p className="tabular font-semibold">
          {formatDay(choice.date, timeZone, 'long')}, {formatWallTime(choice.time, timeZone)}
        </p>
        <p className="text-sm text-muted">
          {zoneLabel(`${choice.date}T12:00:00Z`, timeZone)}
          {where !== null && `, ${where}`}
        </p>
      </div>
    </div>
  )
}
