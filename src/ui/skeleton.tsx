import { cx } from '#app/lib/cx.ts'

/** A quiet shape where content will be; give it the size of that content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-pulse rounded-field bg-line/60', className)}
    />
  )
}
