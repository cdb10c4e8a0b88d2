import { X } from 'lucide-react'
import type { ReactNode } from 'react'

type RemovableChipProps = { children: ReactNode; removeLabel: string; onRemove: () => void }

/** An applied choice that one press takes away, such as a filter. */
export function RemovableChip({ children, removeLabel, onRemove }: RemovableChipProps) {
  return (
    <button
      type="button"
      aria-label={removeLabel}
      onClick={onRemove}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-brand bg-tint px-3 text-sm font-medium text-brand-deep transition-colors duration-150 hover:bg-surface pointer-coarse:min-h-11"
    >
      {children}
      <X aria-hidden="true" strokeWidth={1.75} className="size-4" />
    </button>
  )
}
