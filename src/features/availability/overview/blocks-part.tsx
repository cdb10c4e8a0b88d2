import { showRange } from '#app/features/availability/hours/wall-times.ts'
import { hour12Of, regionOf, sayDate } from '#app/features/availability/hours/words.ts'
import { Panel } from '#app/features/availability/own/page-states.tsx'
import { trpc } from '#app/trpc.ts'
import type { Availability } from '#contract/availability.ts'
import { BlockForm } from './block-form.tsx'
import { EntryList, RemoveDialog } from './entry-list.tsx'

type Block = Availability['blocks'][number]

/** Parts of days without bookings: adding, changing and deleting them. */
export function BlocksPart({ mine }: { mine: Availability }) {
  const { client } = trpc.useUtils()
  const region = regionOf(mine)
  const times = (block: Block) => showRange(block, hour12Of(mine))
  const days = ({ date, weekly, until }: Block) => {
    if (!weekly) return sayDate(date, region)
    const from = `Every week from ${sayDate(date, region)}`
    return until === null ? from : `${from} to ${sayDate(until, region)}`
  }
  return (
    <Panel
      id="blocks"
      title="Blocked times"
      lead="Part of a day that nobody can book: a lunch, a meeting, an afternoon at school."
    >
      <EntryList
        entries={mine.blocks}
        nameOf={(block) => `the block on ${days(block)}, ${times(block)}`}
        empty="No time is blocked."
        addLabel="Block time"
        render={(block) => (
          <>
            <p className="tabular font-semibold">{times(block)}</p>
            <p className="text-muted wrap-anywhere">
              {[days(block), block.note].filter(Boolean).join(' · ')}
            </p>
          </>
        )}
        renderForm={(block, close) => <BlockForm mine={mine} block={block} onClose={close} />}
        renderRemove={(block, close) => (
          <RemoveDialog
            places={mine.places}
            title="Delete this block?"
            action="Delete block"
            done="The block is deleted."
            act={(confirmed) =>
              client.availability.removeBlock.mutate({
                id: block.id,
                version: mine.version,
                confirmed,
              })
            }
            onClose={close}
          >
            <p>
              {days(block)}, {times(block)}: this time can be booked again.
            </p>
          </RemoveDialog>
        )}
      />
    </Panel>
  )
}
