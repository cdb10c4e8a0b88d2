import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { cx } from '#app/lib/cx.ts'
import type { Moment } from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { LiveRegion } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { FreeTimes } from '#contract/availability.ts'
import { clockText } from '#contract/base/time.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import {
  formatLanding,
  formatSpot,
  isMovable,
  type Landing,
  landOn,
  moveByKey,
  type Spot,
} from './drag-rules.ts'
import type { CalendarDay, Span } from './layout.ts'

/** Pointer movement in pixels that turns a press into a drag. */
const DRAG_PX = 6
/** Distance from an edge that starts scrolling, and pixels scrolled per frame. */
const [EDGE_PX, SCROLL_PX] = [48, 10]

/** Key that picks up the focused visit. */
export const MOVE_KEY = 'M'

/** For a provider with nothing on offer, such as one who is not listed. */
const NOTHING_FREE: Omit<FreeTimes, 'timeZone'> = {
  consultationMinutes: 0,
  from: '',
  to: '',
  nextFree: null,
  nextDay: null,
  days: [],
}

type Point = { x: number; y: number }
type DraggedVisit = { visit: WeekVisit; spot: Spot; by: 'pointer' | 'keys' }

type VisitDragOptions = {
  /** Container of the days, which scrolls sideways. */
  box: RefObject<HTMLDivElement | null>
  days: readonly CalendarDay[]
  hours: Span
  timeZone: string
  /** The server's clock. */
  asOf: string
  onMove: (visit: WeekVisit, to: Moment) => void
}

/** The card an event comes from, if its visit can be moved. */
function cardAt(target: EventTarget, { days, asOf }: Pick<VisitDragOptions, 'days' | 'asOf'>) {
  const card = target instanceof Element ? target.closest<HTMLElement>('[data-visit]') : null
  const id = card?.dataset['visit']
  for (const { date, visits } of days) {
    const found = visits.find(({ visit }) => visit.id === id)
    if (card !== null && found && isMovable(found.visit, asOf)) return { card, date, ...found }
  }
  return null
}

type Card = NonNullable<ReturnType<typeof cardAt>>
type Press = Point & { card: Card; grab: number; isDrag: boolean }

/** Scroll distance for a pointer near one of two edges. */
function scrollStep(at: number, first: number, last: number): number {
  if (at < first + EDGE_PX) return -SCROLL_PX
  return at > last - EDGE_PX ? SCROLL_PX : 0
}

/**
 * Moves visits within the displayed days: by mouse, by touch on a card's handle, or by keyboard. A booked
 * visit only lands on free times at its place. Attach the handlers to the box.
 */
export function useVisitDrag({ box, days, hours, timeZone, asOf, onMove }: VisitDragOptions) {
  const utils = trpc.useUtils()
  const [dragged, setDragged] = useState<DraggedVisit | null>(null)
  const [free, setFree] = useState<FreeTimes>()
  const [said, setSaid] = useState('')
  const request = useRef<Promise<FreeTimes | undefined>>(undefined)
  const press = useRef<Press>(undefined)
  const pointer = useRef<Point>({ x: 0, y: 0 })
  const wasDrag = useRef(false)
  const isDrag = dragged?.by === 'pointer'
  const contextOf = (visit: WeekVisit, known = free) => ({
    visit,
    days,
    hours,
    timeZone,
    free: known,
  })
  const landing = dragged && landOn(dragged.spot, contextOf(dragged.visit))

  /**
   * Loads the free times for the visit's type as the move begins; a desk booking needs none. A late answer changes
   * nothing once another visit has been picked up.
   */
  const fetchFreeTimes = async (
    { typeId, desk }: WeekVisit,
    isCurrent: () => boolean,
  ): Promise<FreeTimes | undefined> => {
    const from = days[0]?.date
    try {
      const { id: providerId } = await utils.profiles.own.ensureData()
      const now = await utils.availability.freeTimes.fetch(
        {
          providerId,
          ...(typeId !== null && { typeId }),
          ...(from !== undefined && { from }),
          days: 7,
        },
        { staleTime: 0 },
      )
      if (isCurrent()) setFree(now)
      return now
    } catch (failure) {
      if (!isCurrent()) return undefined
      if (desk !== null) {
        const none = { ...NOTHING_FREE, timeZone }
        setFree(none)
        return none
      }
      setDragged(null)
      void showToast(`Not moved. ${describeFailure(failure).sentence}`)
      return undefined
    }
  }
  const pickUp = ({ visit, date, from }: Card, by: DraggedVisit['by']) => {
    const spot = { date, from }
    setFree(undefined)
    setDragged({ visit, spot, by })
    const fetching: Promise<FreeTimes | undefined> = fetchFreeTimes(
      visit,
      () => request.current === fetching,
    )
    request.current = fetching
    setSaid(
      `${visit.patientName ?? 'Visit'} picked up, ${formatSpot(spot, timeZone)}. Arrow keys choose a time, Enter moves it there, Escape puts it back.`,
    )
  }
  const cancel = () => {
    wasDrag.current = press.current?.isDrag === true
    press.current = undefined
    setDragged(null)
    setSaid('Not moved')
  }
  const drop = async ({ visit, spot, by }: DraggedVisit) => {
    const known = await request.current
    if (known === undefined) return
    const there = landOn(spot, contextOf(visit, known))
    const words = `Not moved. ${formatLanding(there, timeZone)}`
    // With the keyboard the move continues from a spot where the visit cannot land.
    const { startsAt } = there
    if (startsAt !== null || by === 'pointer') setDragged(null)
    setSaid(startsAt === null ? words : '')
    if (startsAt !== null) onMove(visit, { startsAt, timeZone })
    else if (by === 'pointer' && !there.isOwn) void showToast(words)
  }

  const spotUnder = ({ x, y }: Point, grab: number): Spot | null => {
    const columns = [...(box.current?.querySelectorAll<HTMLElement>('[data-day]') ?? [])]
    const column = columns.find((one) => x < one.getBoundingClientRect().right) ?? columns.at(-1)
    if (column === undefined) return null
    const { top, height } = column.getBoundingClientRect()
    const minute = ((y - grab - top) / height) * (hours.to - hours.from)
    return { date: column.dataset['day'] ?? '', from: hours.from + minute }
  }
  /** The dragged visit at the pointer's current spot. */
  const heldOver = (held: Press): DraggedVisit | null => {
    const spot = spotUnder(pointer.current, held.grab)
    return spot && { visit: held.card.visit, spot, by: 'pointer' }
  }

  const scroll = useEffectEvent(() => {
    const { x, y } = pointer.current
    const edges = box.current?.getBoundingClientRect()
    const down = scrollStep(y, 0, innerHeight)
    const right = edges === undefined ? 0 : scrollStep(x, edges.left, edges.right)
    if (down === 0 && right === 0) return
    scrollBy(0, down)
    box.current?.scrollBy(right, 0)
    if (press.current !== undefined) setDragged(heldOver(press.current))
  })
  useEffect(() => {
    if (!isDrag) return
    let frame = 0
    const next = () => {
      scroll()
      frame = requestAnimationFrame(next)
    }
    frame = requestAnimationFrame(next)
    return () => cancelAnimationFrame(frame)
  }, [isDrag])

  const onPointerDown = (event: PointerEvent) => {
    wasDrag.current = false
    const found = cardAt(event.target, { days, asOf })
    if (found === null || event.button !== 0 || !event.isPrimary) return
    // Touch on a card scrolls the page; only its handle starts a drag.
    const isHandle = event.target instanceof Element && event.target.closest('[data-handle]')
    if (event.pointerType === 'touch' && !isHandle) return
    const { clientX: x, clientY: y } = event
    const { top } = found.card.getBoundingClientRect()
    press.current = { x, y, card: found, grab: y - top, isDrag: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    const held = press.current
    if (held === undefined) return
    pointer.current = { x: event.clientX, y: event.clientY }
    if (!held.isDrag) {
      // The button was released outside the page.
      if (event.buttons === 0) press.current = undefined
      const isNear = Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_PX
      if (event.buttons === 0 || isNear) return
      held.isDrag = true
      box.current?.setPointerCapture(event.pointerId)
      pickUp(held.card, 'pointer')
    }
    setDragged(heldOver(held))
  }
  const onPointerUp = (event: PointerEvent) => {
    const held = press.current
    press.current = undefined
    if (held?.isDrag !== true) return
    wasDrag.current = true
    pointer.current = { x: event.clientX, y: event.clientY }
    const dropped = heldOver(held)
    if (dropped !== null) void drop(dropped)
  }
  /** Stops the click that ends a drag from opening the visit. */
  const onClickCapture = (event: MouseEvent) => {
    if (wasDrag.current) event.stopPropagation()
    wasDrag.current = false
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (dragged === null) {
      const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey
      const found =
        isAlone && event.key.toUpperCase() === MOVE_KEY && cardAt(event.target, { days, asOf })
      if (found) pickUp(found, 'keys')
      return
    }
    if (event.key === 'Tab') return cancel()
    const isByKeys = dragged.by === 'keys' && landing !== null
    const to = isByKeys ? moveByKey(event.key, landing, contextOf(dragged.visit)) : null
    if (to === null && event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return cancel()
    if (to === null) return void (isByKeys && drop(dragged))
    setDragged({ ...dragged, spot: to })
    setSaid('')
  }

  return {
    /** Where the dragged visit would land; null if none is dragged. */
    landing: landing && { ...landing, visit: dragged.visit, by: dragged.by },
    /** Screen reader text. During a keyboard move it names the current spot, updated when free times load. */
    said:
      said === '' && dragged?.by === 'keys' && landing ? formatLanding(landing, timeZone) : said,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: () => press.current?.isDrag === true && cancel(),
      onClickCapture,
      onKeyDown,
      onBlur: () => dragged?.by === 'keys' && cancel(),
    },
  }
}

/**
 * Drag handle of a card for touch; a mouse drags the whole card. The dots are a CSS background: an icon in
 * each of two hundred cards would dominate rendering.
 */
export function MoveHandle() {
  return (
    <span
      aria-hidden="true"
      data-handle
      className="absolute inset-y-px right-px z-10 hidden w-7 touch-none bg-[radial-gradient(var(--muted)_1.5px,transparent_2px)] bg-size-[6px_6px] bg-center bg-clip-content px-2 py-2 pointer-coarse:block"
    />
  )
}

type DropPreviewProps = {
  landing: Landing & { visit: WeekVisit; by: 'pointer' | 'keys' }
  timeZone: string
  size: { top: number; height: number }
}

/** Preview of where a dragged visit would land, or why it cannot; remounted for each spot. */
export function DropPreview({ landing, timeZone, size }: DropPreviewProps) {
  const { visit, from, startsAt, why, by } = landing
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (by === 'keys') element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [by])
  return (
    <div
      ref={element}
      aria-hidden="true"
      style={{ top: size.top, minHeight: size.height }}
      className={cx(
        'pointer-events-none absolute inset-x-0 z-30 scroll-m-12 rounded-field border-2 px-1.5 text-sm leading-tight shadow-float',
        startsAt === null
          ? 'border-dashed border-danger bg-surface text-danger'
          : 'border-brand bg-tint text-brand-deep',
      )}
    >
      <span className="tabular block font-semibold">
        {clockText(from, factsOfZone(timeZone).hour12)} {visit.patientName}
      </span>
      {why}
    </div>
  )
}

/** Instructions for moving visits, and a live region for screen readers. */
export function MoveHelp({ id, said }: { id: string; said: string }) {
  return (
    <>
      <p id={id} className="no-print mt-3 text-sm text-muted">
        To move a visit, drag it<span className="hidden pointer-coarse:inline"> by its handle</span>{' '}
        to a free time. You can move one you added yourself to any time nobody is booked. With the
        keyboard, select it and press {MOVE_KEY}, then the arrow keys, and Enter.
      </p>
      <LiveRegion text={said} />
    </>
  )
}
