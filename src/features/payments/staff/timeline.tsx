import { cx } from '#app/lib/cx.ts'
import { dayOf, formatDate, formatTime, zoneLabel } from '#app/lib/format-time.ts'
import type { TimelineEntry } from '#contract/payments-staff.ts'
import { happened, movedText, why } from './payment-words.ts'

/** What stands out among what always happens. */
function isLoud({ what, to }: TimelineEntry): boolean {
  return what === 'decided' || to === 'review' || to === 'failed' || what === 'refund_dealt'
}

type EntryProps = { entry: TimelineEntry; timeZone: string; isLast: boolean }

function Entry({ entry, timeZone, isLast }: EntryProps) {
  const { at, amount, who, reference } = entry
  const reason = why(entry)
  const region = timeZone === 'Europe/London' ? 'uk' : 'usa'
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      {!isLast && (
        <span aria-hidden="true" className="absolute top-4 bottom-0 left-[5px] w-px bg-line" />
      )}
      <span
        aria-hidden="true"
        className={cx(
          'relative mt-1.5 size-[11px] shrink-0 rounded-full border-2',
          isLoud(entry) ? 'border-accent bg-accent' : 'border-brand bg-surface',
        )}
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="font-medium">
            {happened(entry)}
            {amount && <span className="tabular">, {movedText(amount)}</span>}
          </p>
          <p className="tabular text-sm text-muted">
            <time dateTime={at}>
              {formatDate(dayOf(at, timeZone), region)}, {formatTime(at, timeZone)}
            </time>
          </p>
        </div>
        {who && <p className="text-sm text-muted wrap-anywhere">by {who}</p>}
        {reason && <p className="text-sm whitespace-pre-line wrap-anywhere">{reason}</p>}
        {reference && <p className="font-mono text-sm text-muted wrap-anywhere">{reference}</p>}
      </div>
    </li>
  )
}

type TimelineProps = { entries: readonly TimelineEntry[]; timeZone: string }

/** What happened to a visit and its money, the latest first, on the clock of its place. */
export function Timeline({ entries, timeZone }: TimelineProps) {
  const [first] = entries
  const latest = entries.toReversed()
  return (
    <section aria-labelledby="timeline-of-visit">
      <h3 id="timeline-of-visit" className="font-semibold">
        Timeline
      </h3>
      <p className="mb-3 text-sm text-muted">
        Latest first{first && `, ${zoneLabel(first.at, timeZone).split(',')[0]}`}
      </p>
      <ol>
        {latest.map((entry, at) => (
          <Entry
            key={`${entry.at} ${entry.what} ${entry.reference ?? ''} ${entry.note ?? ''}`}
            entry={entry}
            timeZone={timeZone}
            isLast={at === latest.length - 1}
          />
        ))}
      </ol>
    </section>
  )
}
