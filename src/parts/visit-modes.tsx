import { MapPin, Video } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import type { VisitMode } from '#contract/search.ts'

const modes = {
  in_person: { icon: MapPin, label: 'In person' },
  video: { icon: Video, label: 'Video' },
} satisfies Record<VisitMode, unknown>

type VisitModesProps = {
  modes: readonly VisitMode[]
  /** Icon and word without a pill, for a line of small facts. */
  isPlain?: boolean
}

/** Whether the visit can be in person, by video, or either. */
export function VisitModes({ modes: offered, isPlain = false }: VisitModesProps) {
  return offered.map((mode) => {
    const { icon: Icon, label } = modes[mode]
    if (isPlain) {
      return (
        <span key={mode} className="inline-flex items-center gap-1">
          <Icon aria-hidden="true" className="size-3.5" />
          {label}
        </span>
      )
    }
    return (
      <Badge key={mode}>
        <Icon aria-hidden="true" className="size-3.5" />
        {label}
      </Badge>
    )
  })
}
