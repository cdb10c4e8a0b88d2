import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { Switch } from '#app/ui/switch.tsx'
import type { VerificationQueue } from '#contract/verification-staff.ts'

type Stop = VerificationQueue['next']

type StepProps = { stop: Stop; label: string; children: ReactNode }

/** A link to the previous or next provider in the queue; disabled, but in place, if there is none. */
function Step({ stop, label, children }: StepProps) {
  const linkClass = cx(buttonClass('secondary'), 'px-3')
  if (stop === null) {
    return (
      <button type="button" disabled aria-label={label} className={linkClass}>
        {children}
      </button>
    )
  }
  return (
    <Link
      to="/admin-home/providers/$providerId"
      params={{ providerId: stop.providerId }}
      aria-label={`${label}: ${stop.name}`}
      className={linkClass}
    >
      {children}
    </Link>
  )
}

const keyClass =
  'rounded border border-field bg-sunken px-1.5 font-sans text-sm font-semibold text-ink'

function positionText({ position, waiting }: VerificationQueue): string {
  if (waiting === 0) return 'Nobody is waiting'
  const all = waiting.toLocaleString('en-GB')
  return position === null
    ? `${all} waiting`
    : `${position.toLocaleString('en-GB')} of ${all} waiting`
}

const KEY = 'queueKeys'

/** Whether single-key shortcuts are on: they get in the way of some users of dictation or switch devices. */
function useShortcutSetting(): [boolean, () => void] {
  const [isOn, setOn] = useState(() => readStored(KEY) !== 'off')
  const toggle = () => {
    writeStored(KEY, isOn ? 'off' : null)
    setOn(!isOn)
  }
  return [isOn, toggle]
}

/** Whether key presses are text input, in a field or a dialog. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select, [role="dialog"] *')
}

type QueueKeyOptions = {
  isOn: boolean
  onNext: (() => void) | null
  onPrevious: (() => void) | null
}

/** `n` or `j` go forward in the queue, `p` or `k` back; never while typing. */
function useQueueKeys({ isOn, onNext, onPrevious }: QueueKeyOptions): void {
  useEffect(() => {
    if (!isOn) return
    const move = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (event.defaultPrevented || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      const go =
        key === 'n' || key === 'j' ? onNext : key === 'p' || key === 'k' ? onPrevious : null
      if (go === null) return
      event.preventDefault()
      go()
    }
    addEventListener('keydown', move)
    return () => removeEventListener('keydown', move)
  }, [isOn, onNext, onPrevious])
}

/** The position in the queue, with links to its neighbours and single-key shortcuts. */
export function QueueBar({ queue }: { queue: VerificationQueue | undefined }) {
  const navigate = useNavigate()
  const [areKeysOn, toggleKeys] = useShortcutSetting()
  const goTo = (stop: Stop | undefined) =>
    stop
      ? () =>
          void navigate({
            to: '/admin-home/providers/$providerId',
            params: { providerId: stop.providerId },
          })
      : null
  useQueueKeys({
    isOn: areKeysOn,
    onNext: goTo(queue?.next),
    onPrevious: goTo(queue?.previous),
  })
  if (queue === undefined) return null
  return (
    <section
      aria-label="Queue"
      className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border border-line bg-surface py-2 pr-2 pl-4 max-sm:pr-4"
    >
      <p className="tabular font-semibold">{positionText(queue)}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Switch
          isOn={areKeysOn}
          onChange={toggleKeys}
          className="text-sm font-normal! text-muted pointer-coarse:hidden max-md:hidden"
        >
          <span>
            Keys <kbd className={keyClass}>n</kbd> next, <kbd className={keyClass}>p</kbd> previous
          </span>
        </Switch>
        <div className="flex gap-2">
          <Step stop={queue.previous} label="Previous in the queue">
            <ChevronLeft aria-hidden="true" className="size-5" />
            Previous
          </Step>
          <Step stop={queue.next} label="Next in the queue">
            Next
            <ChevronRight aria-hidden="true" className="size-5" />
          </Step>
        </div>
      </div>
    </section>
  )
}
