import { Copy } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { weekdayName } from '#app/features/availability/hours/words.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'

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
export function CopyDays({ weekday, weekdays, onCopy }: CopyDaysProps) {
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
