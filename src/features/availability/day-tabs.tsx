import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'

export type DayTab = { key: string; label: string; detail: string }

type DayTabsProps = {
  tabs: readonly DayTab[]
  selected: string
  onSelect: (key: string) => void
  /** Element ids begin with this. */
  id: string
  children: ReactNode
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** The first days with times, and "Other dates", as tabs; arrows move and choose at once. */
export function DayTabs({ tabs, selected, onSelect, id, children }: DayTabsProps) {
  const list = useRef<HTMLDivElement>(null)

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.key === selected)
    const step = steps[event.key]
    const ends: Record<string, number> = { Home: 0, End: tabs.length - 1 }
    const to = step === undefined ? ends[event.key] : (at + step + tabs.length) % tabs.length
    const next = to === undefined ? undefined : tabs[to]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.key)
    list.current?.querySelector<HTMLElement>(`#${id}-tab-${next.key}`)?.focus()
  }

  return (
    <div className="flex flex-col gap-4">
      <div
        ref={list}
        role="tablist"
        aria-label="Day"
        tabIndex={-1}
        onKeyDown={move}
        className="grid auto-cols-fr grid-flow-col gap-1 rounded-card bg-sunken p-1 @max-[13rem]:grid-flow-row @max-[13rem]:grid-cols-2"
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.key}`}
            aria-selected={tab.key === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === selected ? 0 : -1}
            onClick={() => onSelect(tab.key)}
            className={cx(
              'flex min-h-13 flex-col items-center justify-center rounded-field px-1 py-1 leading-tight transition-colors duration-150',
              tab.key === selected
                ? 'bg-surface text-brand-deep shadow-[0_0_0_1px_var(--line)]'
                : 'text-muted hover:text-ink',
            )}
          >
            <span className="font-semibold max-sm:text-sm">{tab.label}</span>
            <span className="tabular text-sm">{tab.detail}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${selected}`}>
        {children}
      </div>
    </div>
  )
}
