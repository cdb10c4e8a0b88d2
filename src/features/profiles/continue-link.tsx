import { formatDay } from '#app/lib/format-time.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { LinkButton } from '#app/ui/link-button.tsx'
import type { Region } from '#contract/region.ts'

type ContinueLinkProps = {
  id: string
  region: Region
  /** As it stands in the address, for the page after. */
  distance: string
  choice: SlotChoice
  timeZone: string
}

/** "Continue with Thu 19 Feb, 10:30": the step after choosing says what was chosen. */
export function ContinueLink({ id, region, distance, choice, timeZone }: ContinueLinkProps) {
  return (
    <LinkButton
      to="/appointment/$doc_id"
      params={{ doc_id: id }}
      search={{ region, ...choice, distance }}
      size="large"
      className="w-full px-3! max-sm:text-base!"
    >
      Continue with {formatDay(choice.date, timeZone)}, {formatWallTime(choice.time, timeZone)}
    </LinkButton>
  )
}
