import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import {
  DAY_END,
  formatWallClock,
  parseTime,
  type Time,
  timeOptions,
} from '#app/features/availability/hours/hours-format.ts'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { controlClass, Field } from '#app/ui/fields.tsx'
import { clockText } from '#contract/base/time.ts'

type TimeFieldProps = {
  id: string
  label: string
  value: Time
  hour12: boolean
  /** An end of hours: midnight is the end of the day, and only times after `after` are offered. */
  isEnd?: boolean
  after?: Time
  /** Id of the error message. */
  errorId?: string | undefined
  onChange: (time: Time) => void
}

/** A time of day, typed in any common notation or picked; phones use their native picker. */
export function TimeField(props: TimeFieldProps) {
  const isCoarse = useMedia('(pointer: coarse)')
  return isCoarse ? <NativeTime {...props} /> : <TypedTime {...props} />
}

const inputClass = 'tabular w-30 max-w-full'

function invalidProps(errorId: string | undefined) {
  return { 'aria-invalid': errorId ? true : undefined, 'aria-describedby': errorId }
}

function NativeTime({ id, label, value, isEnd = false, errorId, onChange }: TimeFieldProps) {
  return (
    <input
      type="time"
      id={id}
      aria-label={label}
      step={900}
      value={typeof value === 'number' ? clockText(value % DAY_END) : ''}
      {...invalidProps(errorId)}
      onChange={({ target }) => onChange(parseTime(target.value, { isEnd }) ?? '')}
      // The field itself opens the native picker, so its indicator is hidden to save space.
      className={cx(
        controlClass,
        'tabular w-30 min-w-0 shrink px-2 text-center [&::-webkit-calendar-picker-indicator]:hidden',
      )}
    />
  )
}

function TypedTime(props: TimeFieldProps) {
  const { id, label, value, hour12, isEnd = false, after, errorId, onChange } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState<number | null>(null)
  const reading = { isEnd, ...(after !== undefined && { after }) }
  const times = timeOptions(reading)
  const listId = `${id}-list`
  const isOpen = active !== null && times.length > 0

  const commit = () => {
    setActive(null)
    if (typed === null) return
    onChange(parseTime(typed, reading) ?? typed.trim())
    setTyped(null)
  }
  const pick = (time: number) => {
    setTyped(null)
    setActive(null)
    onChange(time)
  }
  const open = () => {
    const near = (typed === null ? null : parseTime(typed, reading)) ?? value
    const wanted = typeof near === 'number' ? near : (times[0] ?? 0)
    setActive(times.find((time) => time >= wanted) ?? times.at(-1) ?? null)
  }
  const move = (step: 1 | -1) => {
    if (active === null) open()
    else setActive(times[times.indexOf(active) + step] ?? active)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && (isOpen || typed !== null)) {
      event.preventDefault()
      if (isOpen && typed === null) pick(active)
      else commit()
    } else if (event.key === 'Escape' && (isOpen || typed !== null)) {
      event.preventDefault()
      event.stopPropagation()
      setTyped(null)
      setActive(null)
    }
  }
  return (
    <span className={cx('relative inline-block', inputClass)}>
      <input
        type="text"
        role="combobox"
        id={id}
        aria-label={label}
        aria-autocomplete="none"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? formatWallClock(value, hour12)}
        {...invalidProps(errorId)}
        onFocus={({ target }) => target.select()}
        onClick={() => (isOpen ? setActive(null) : open())}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(null)
        }}
        onKeyDown={onKeyDown}
        onBlur={commit}
        className={cx(controlClass, 'tabular')}
      />
      {isOpen && (
        <TimeList
          id={listId}
          label={label}
          times={times}
          active={active}
          hour12={hour12}
          onPick={pick}
        />
      )}
    </span>
  )
}

type TimeListProps = {
  id: string
  label: string
  times: readonly number[]
  active: number
  hour12: boolean
  onPick: (time: number) => void
}

/** A list of times in steps of 15 minutes, with the active one scrolled into view. */
function TimeList({ id, label, times, active, hour12, onPick }: TimeListProps) {
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
        // The field handles keys: the list never has focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={time}
          id={`${id}-${time}`}
          role="option"
          tabIndex={-1}
          aria-selected={time === active}
          // Prevents blur, which would close the list during the press.
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

type TimeRangeProps = {
  /** Id prefix: the fields are `{id}-from` and `{id}-to`. */
  id: string
  range: { from: Time; to: Time }
  errors: Readonly<Record<string, string | undefined>>
  hour12: boolean
  onChange: (field: 'from' | 'to', time: Time) => void
}

/** Start and end on one day, as form fields. */
export function TimeRange({ id, range, errors, hour12, onChange }: TimeRangeProps) {
  const error = (name: 'from' | 'to') => (errors[name] ? `${id}-${name}-error` : undefined)
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-3">
      <Field id={`${id}-from`} label="From" error={errors['from']}>
        <TimeField
          id={`${id}-from`}
          label="From"
          value={range.from}
          hour12={hour12}
          errorId={error('from')}
          onChange={(time) => onChange('from', time)}
        />
      </Field>
      <Field id={`${id}-to`} label="Until" error={errors['to']}>
        <TimeField
          id={`${id}-to`}
          label="Until"
          value={range.to}
          hour12={hour12}
          isEnd
          after={range.from}
          errorId={error('to')}
          onChange={(time) => onChange('to', time)}
        />
      </Field>
    </div>
  )
}
