import { cx } from '#app/lib/cx.ts'

/** A placeholder for content; give it the size of that content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-pulse rounded-field bg-line/60', className)}
    />
  )
}

type PendingShapesProps = {
  /** Classes of each shape: the height of what will be there. */
  shapes: readonly string[]
  /** Layout of the shapes; stacked if omitted. */
  className?: string
}

/** Placeholder in the shape of the content while data loads. */
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

/** A spinning ring beside text that says what is going on; hidden from screen readers. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-[1.1em] shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}
