import { showRange } from '#app/features/availability/hours/wall-times.ts'
import { hour12Of, regionOf, sayDate } from '#app/features/availability/hours/words.ts'
import { DatesForm } from '#app/features/availability/own/dates-form.tsx'
import { Panel } from '#app/features/availability/own/page-states.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/button.tsx'
import type { Availability } from '#contract/availability.ts'
import { EntryList, RemoveDialog } from './entry-list.tsx'

/** Extra dates: hours on single days. */
export function DatesPart({ mine }: { mine: Availability }) {
  const { client } = trpc.useUtils()
  const region = regionOf(mine)
  const hour12 = hour12Of(mine)
  return (
    <Panel
      id="extra-dates"
      title="Extra dates"
      lead="Hours on single days besides the weekly ones."
      actions={
        <LinkButton variant="secondary" to="/doctor/availability/new" search={{ view: 'dates' }}>
          Add extra dates
        </LinkButton>
      }
    >
      <EntryList
        entries={mine.extraDates}
        nameOf={({ date }) => `extra date, ${sayDate(date, region)}`}
        empty="No extra dates ahead."
        render={(extra) => (
          <>
            <p className="tabular font-semibold">{sayDate(extra.date, region)}</p>
            <p className="tabular text-muted wrap-anywhere">
              {[
                showRange(extra, hour12),
                mine.places.length > 1 && mine.places.find(({ id }) => id === extra.placeId)?.name,
                extra.note,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </>
        )}
        renderForm={(extra, close) =>
          extra && <DatesForm mine={mine} date={extra} onClose={close} />
        }
        renderRemove={(extra, close) => (
          <RemoveDialog
            places={mine.places}
            title="Delete this extra date?"
            action="Delete extra date"
            done="The extra date is deleted."
            act={(confirmed) =>
              client.availability.removeDate.mutate({
                id: extra.id,
                version: mine.version,
                confirmed,
              })
            }
            onClose={close}
          >
            <p>
              {sayDate(extra.date, region)}, {showRange(extra, hour12)}: its free times can no
              longer be booked.
            </p>
          </RemoveDialog>
        )}
      />
    </Panel>
  )
}
