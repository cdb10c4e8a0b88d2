import { cx } from '#app/lib/cx.ts'

type DayBarsProps = {
  title: string
  /** Of all days together. */
  total: string
  /** Of the highest day, at the top of the scale. */
  highest: string
  values: readonly number[]
  /** The day that is looked at, in all charts at once. */
  chosen: number
}

const HEIGHT = 100
/** Widths of a day and of its bar, in the units of the drawing, which is stretched to its place. */
const DAY = 10
const BAR = 7

/** One measure by day as bars on a scale of its own; the words for it stand elsewhere. */
export function DayBars({ title, total, highest, values, chosen }: DayBarsProps) {
  const top = Math.max(1, ...values)
  return (
    <div className="grid gap-x-6 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)] sm:items-end">
      <div>
        <p className="text-sm text-muted">{title}</p>
        <p className="tabular text-xl font-semibold">{total}</p>
      </div>
      <div>
        <p className="tabular text-right text-sm text-muted">{highest}</p>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${values.length * DAY} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-16 w-full border-t border-b border-t-line border-b-field"
        >
          {values.map((value, at) => {
            // A day with anything at all is to be seen.
            const height = value === 0 ? 0 : Math.max(2, (value / top) * HEIGHT)
            const x = at * DAY
            return (
              // Days have no name but their place.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <g key={at}>
                {at === chosen && (
                  <rect x={x} y={0} width={DAY} height={HEIGHT} className="fill-tint" />
                )}
                <rect
                  x={x + (DAY - BAR) / 2}
                  y={HEIGHT - height}
                  width={BAR}
                  height={height}
                  className={cx(at === chosen ? 'fill-brand-deep' : 'fill-brand')}
                />
              </g>
            )
          })}
        </svg>
      </div>
    </div>
  )
}
