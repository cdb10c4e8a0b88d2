import { cx } from '#app/lib/cx.ts'
import { Skeleton } from './skeleton.tsx'

type PendingShapesProps = {
  /** Classes of each shape: the height of what will be there. */
  shapes: readonly string[]
  /** How the shapes are laid out; below each other when left out. */
  className?: string
}

/** What stands in, in the shape of the content, while data is on its way. */
export function PendingShapes({ shapes, className }: PendingShapesProps) {
  return (
    <div aria-busy="true" className={cx(className ?? 'flex flex-col gap-6')}>
      {shapes.map((shape, at) => (
        // The list never changes while it is shown.
        // oxlint-disable-next-line react/no-array-index-key
        <Skeleton key={at} className={shape} />
      ))}
    </div>
  )
}
