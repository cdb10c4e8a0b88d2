import { ChevronDown, Copy, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import {
  addRange,
  copyDay,
  type DayRef,
  type DraftRange,
  nextFree,
  type RangeProblem,
  rangesOn,
  removeRange,
  setTime,
  toggleDay,
} from '#app/features/availability/hours/draft.ts'
import {
  formatList,
  formatRange,
  type Time,
} from '#app/features/availability/hours/hours-format.ts'
import { TimeField } from '#app/features/availability/own/time-field.tsx'
import { cx } from '#app/lib/cx.ts'
import { weekdayName } from '#app/lib/dates/calendar-days.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { FieldMessage } from '#app/ui/fields.tsx'
import { Checkbox, Switch } from '#app/ui/form-controls.tsx'
import type { Editor } from './use-editor.ts'

type DayRowProps = {
  editor: Editor
  day: DayRef
  weekdays: readonly number[]
  /** On phones every day is collapsed to its name and hours. */
  isFolding: boolean
}

const ORDER = ['', ', second hours', ', third hours']

const focusAfterRender = (id: string) =>
  requestAnimationFrame(() => document.getElementById(id)?.focus())

/** Hours of the same day at other places, so that nobody plans to be at two at once. */
function Elsewhere({ editor, day }: { editor: Editor; day: DayRef }) {
  const { base, draft, known } = editor
  const others = base.places.filter(({ id }) => id !== day.placeId)
  const words = others.flatMap(({ id, name }) => {
    const ranges = rangesOn(draft, { ...day, placeId: id })
    return ranges.length === 0
      ? []
      : [`${name} ${ranges.map((range) => formatRange(range, known.hour12)).join(', ')}`]
  })
  if (words.length === 0) return null
  return <p className="text-sm text-muted">Also at {formatList(words)}.</p>
}

/** Actions on the hours of one day. */
function useDay({ editor, day }: { editor: Editor; day: DayRef }) {
  const { draft, change, known } = editor
  const name = weekdayName(day.weekday)
  return {
    toggle: () => {
      const next = toggleDay(draft, day)
      const hours = rangesOn(next, day).map((range) => formatRange(range, known.hour12))
      change(next, hours.length === 0 ? `${name}: closed` : `${name}: ${formatList(hours)}`)
      return hours.length > 0
    },
    add: () => {
      const next = addRange(draft, day, known)
      const added = next.ranges.at(-1)
      if (next === draft || added === undefined) return
      change(next, `${name}: ${formatRange(added, known.hour12)} added`)
      focusAfterRender(fieldId(added, 'from'))
    },
    remove: (range: DraftRange) => {
      const rest = rangesOn(draft, day).filter(({ id }) => id !== range.id)
      change(removeRange(draft, range.id), `${name}: ${formatRange(range, known.hour12)} removed`)
      const last = rest.at(-1)
      if (last) focusAfterRender(fieldId(last, 'from'))
    },
    copy: (weekdays: number[]) => {
      change(
        copyDay(draft, day, weekdays),
        `Hours of ${name} copied to ${formatList(weekdays.map((one) => weekdayName(one)))}`,
      )
    },
  }
}

/** One day of the week: a switch, its hours, adding more, and copying them to other days. */
export function DayRow({ editor, day, weekdays, isFolding }: DayRowProps) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const { draft, problems, known, change } = editor
  const [isUnfolded, setUnfolded] = useState(false)
  const ranges = rangesOn(draft, day)
  const isOn = ranges.length > 0
  const hasProblem = ranges.some((range) => problems.has(range.id))
  const isShown = isOn && (!isFolding || isUnfolded || hasProblem)
  const name = weekdayName(day.weekday)
  const { toggle, add, remove, copy } = useDay({ editor, day })
  const isFull = nextFree(draft, day, known) === null
  const hours = formatList(ranges.map((range) => formatRange(range, known.hour12)))
  const brief = ranges
    .map((range) => formatRange(range, known.hour12).replace(' to ', '–'))
    .join(', ')
  const actions = isOn && (
    <div className="flex">
      <IconButton
        label={isFull ? `${name} has no room for more hours` : `Add hours on ${name}`}
        disabled={isFull}
        onClick={add}
      >
        <Plus aria-hidden="true" className="size-5" />
      </IconButton>
      <CopyDays weekday={day.weekday} weekdays={weekdays} onCopy={copy} />
    </div>
  )
  return (
    <div
      ref={row}
      role="group"
      aria-label={name}
      className={cx(
        'grid gap-x-4 py-2',
        'lg:grid-cols-[10.5rem_minmax(0,1fr)_auto] lg:items-start lg:py-3',
        'grid-cols-[minmax(0,1fr)_auto]',
      )}
    >
      <Switch
        isOn={isOn}
        aria-label={name}
        aria-describedby={`${id}-hours`}
        onChange={() => setUnfolded(toggle())}
      >
        <span className="min-w-0">
          <span className="block">{name}</span>
          {isFolding && (
            <span aria-hidden="true" className="block text-sm font-normal text-muted">
              {isOn ? brief : 'Closed'}
            </span>
          )}
        </span>
      </Switch>
      <span id={`${id}-hours`} className="sr-only">
        {isOn ? hours : 'Closed'}
      </span>
      {isFolding ? (
        isOn && (
          <IconButton
            label={isShown ? `Collapse ${name}` : `Change the hours of ${name}`}
            aria-expanded={isShown}
            aria-controls={`${id}-body`}
            onClick={() => setUnfolded(!isShown)}
          >
            <ChevronDown
              aria-hidden="true"
              className={cx('size-5 transition-transform duration-150', isShown && 'rotate-180')}
            />
          </IconButton>
        )
      ) : (
        <div className="lg:order-3">{actions}</div>
      )}
      <div
        id={`${id}-body`}
        className={cx(
          'flex flex-col gap-2 max-lg:col-span-2',
          isShown && 'max-lg:pt-1 max-lg:pb-2',
        )}
      >
        {isShown &&
          ranges.map((range, at) => (
            <RangeLine
              key={range.id}
              range={range}
              name={`${name}${ORDER[at] ?? `, hours ${at + 1}`}`}
              hour12={known.hour12}
              problem={problems.get(range.id)}
              onTime={(part) => change(setTime(draft, range.id, part))}
              onRemove={ranges.length > 1 ? () => remove(range) : undefined}
            />
          ))}
        {!isOn && !isFolding && (
          <p aria-hidden="true" className="flex min-h-11 items-center text-muted max-lg:hidden">
            Closed
          </p>
        )}
        <Elsewhere editor={editor} day={day} />
        {isFolding && isShown && <div className="flex justify-end">{actions}</div>}
      </div>
    </div>
  )
}

type CopyDaysProps = {
  weekday: number
  /** All weekdays in display order. */
  weekdays: readonly number[]
  onCopy: (weekdays: number[]) => void
}

/** Arrow keys move between the checkboxes; Tab works as well. */
function moveFocus(panel: HTMLElement, step: 1 | -1): void {
  const boxes = [...panel.querySelectorAll<HTMLInputElement>('input:not(:disabled)')]
  const at = boxes.findIndex((box) => box === document.activeElement)
  boxes[(at + step + boxes.length) % boxes.length]?.focus()
}

/** "Copy these hours to …": a list of days with Select all, Cancel and Apply. */
function CopyDays({ weekday, weekdays, onCopy }: CopyDaysProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const name = weekdayName(weekday)
  return (
    <div className="relative">
      <IconButton
        ref={button}
        label={`Copy ${name} to other days`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Copy aria-hidden="true" className="size-5" />
      </IconButton>
      {isOpen && (
        <DayChecklist
          id={id}
          weekday={weekday}
          weekdays={weekdays}
          onClose={close}
          onLeave={() => setOpen(false)}
          onCopy={(chosen) => {
            onCopy(chosen)
            close()
          }}
        />
      )}
    </div>
  )
}

type DayChecklistProps = CopyDaysProps & { id: string; onClose: () => void; onLeave: () => void }

function DayChecklist({ id, weekday, weekdays, onCopy, onClose, onLeave }: DayChecklistProps) {
  const panel = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const others = weekdays.filter((one) => one !== weekday)
  const isAll = chosen.length === others.length
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
    panel.current?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const leave = ({ target }: PointerEvent) => {
      // The toggle button next to the panel handles its own presses.
      const box = panel.current?.parentElement
      if (target instanceof Node && box?.contains(target) !== true) onLeave()
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [onLeave])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
    }
  }
  return (
    // Handles keys of the checkboxes within; the panel itself is not focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      id={id}
      role="dialog"
      aria-label={`Copy the hours of ${weekdayName(weekday)} to`}
      onKeyDown={onKeyDown}
      className="absolute top-full right-0 z-20 mt-1 w-64 scroll-my-4 rounded-card border border-line bg-surface p-3 shadow-float"
    >
      <p aria-hidden="true" className="px-1 font-semibold">
        Copy {weekdayName(weekday)} to
      </p>
      <Checkbox
        label="Select all"
        checked={isAll}
        onChange={() => setChosen(isAll ? [] : others)}
      />
      <div className="border-t border-line">
        {others.map((one) => (
          <Checkbox
            key={one}
            label={weekdayName(one)}
            checked={chosen.includes(one)}
            onChange={({ target }) =>
              setChosen(target.checked ? [...chosen, one] : chosen.filter((day) => day !== one))
            }
          />
        ))}
      </div>
      <div className="mt-2 flex justify-end gap-2 border-t border-line pt-3">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => onCopy(weekdays.filter((one) => chosen.includes(one)))}
        >
          Apply
        </Button>
      </div>
    </div>
  )
}

type RangeLineProps = {
  range: DraftRange
  /** "Monday", or "Monday, second hours". */
  name: string
  hour12: boolean
  problem: RangeProblem | undefined
  onTime: (part: { from: Time } | { to: Time }) => void
  /** Omitted for the only hours of a day: the day's switch removes those. */
  onRemove: (() => void) | undefined
}

/** Id of the start or end field. */
export const fieldId = (range: { id: number }, field: 'from' | 'to') => `hours-${range.id}-${field}`

/** Start and end, with the error beside them. */
function RangeLine(props: RangeLineProps) {
  const { range, name, hour12, problem, onTime, onRemove } = props
  const errorId = `hours-${range.id}-error`
  const wrong = (field: 'from' | 'to') => (problem?.field === field ? errorId : undefined)
  return (
    <div>
      <div role="group" aria-label={name} className="flex items-center gap-1.5 sm:gap-2">
        <TimeField
          id={fieldId(range, 'from')}
          label={`${name}, from`}
          value={range.from}
          hour12={hour12}
          errorId={wrong('from')}
          onChange={(from) => onTime({ from })}
        />
        <span aria-hidden="true" className="text-muted">
          –
        </span>
        <TimeField
          id={fieldId(range, 'to')}
          label={`${name}, until`}
          value={range.to}
          hour12={hour12}
          isEnd
          after={range.from}
          errorId={wrong('to')}
          onChange={(to) => onTime({ to })}
        />
        {onRemove && (
          <IconButton
            label={`Remove ${name}, ${formatRange(range, hour12)}`}
            onClick={onRemove}
            className="text-danger"
          >
            <Trash2 aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
      <div className="mt-1.5 empty:hidden">
        <FieldMessage id={errorId} error={problem?.message} />
      </div>
    </div>
  )
}
