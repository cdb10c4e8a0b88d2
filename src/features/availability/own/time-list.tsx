import { useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { clockText } from '#contract/time.ts'

type TimeListProps = {
  id: string
  label: string
  times: readonly number[]
  active: number
  hour12: boolean
  onPick: (time: number) => void
}

/** The quarters of an hour to pick from, with the active one in view. */
export function TimeList({ id, label, times, active, hour12, onPick }: TimeListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = list.current
    const option = document.getElementById(`${id}-${active}`)
    if (box && option) box.scrollTop = option.offsetTop - box.clientHeight / 2 + 20
  }, [id, active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="tabular absolute top-full left-0 z-20 mt-1 max-h-64 min-w-full overflow-y-auto rounded-field border border-line bg-surface p-1 shadow-float"
    >
      {times.map((time) => (
        // Keys are the field's business: the list never has focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={time}
          id={`${id}-${time}`}
          role="option"
          tabIndex={-1}
          aria-selected={time === active}
          // Before the field loses focus, which would close the list under the press.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(time)}
          className={cx(
            'flex min-h-9 cursor-pointer items-center rounded-field px-3 whitespace-nowrap hover:bg-tint',
            time === active && 'bg-tint font-semibold text-brand-deep',
          )}
        >
          {clockText(time, hour12)}
        </div>
      ))}
    </div>
  )
}
