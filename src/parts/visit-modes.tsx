import { MapPin, Video } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import type { VisitMode } from '#contract/search.ts'

const modes = {
  in_person: { icon: MapPin, label: 'In person' },
  video: { icon: Video, label: 'Video' },
} satisfies Record<VisitMode, unknown>

/** Whether the visit can be in person, by video, or either. */
export function VisitModes({ modes: offered }: { modes: readonly VisitMode[] }) {
  return offered.map((mode) => {
    const { icon: Icon, label } = modes[mode]
    return (
      <Badge key={mode}>
        <Icon aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        {label}
      </Badge>
    )
  })
}
