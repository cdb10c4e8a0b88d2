import type { ReactNode } from 'react'
import type { SlotChoice } from '#app/lib/slot-choice.ts'

type PickerProps = {
  providerId: string
  /** The visit type; the provider's first one if omitted. */
  typeId?: string | undefined
  chosen: Partial<Record<keyof SlotChoice, string | undefined>>
  onChoose: (chosen: PickerProps['chosen']) => void
  renderContinue: (choice: SlotChoice, timeZone: string) => ReactNode
  whenNothingIsFree: ReactNode
  /** Title above the nearest times if the chosen one is not free. */
  goneTitle?: string
}

/** Renders the picker of free times, by another feature. */
export type RenderPicker = (props: PickerProps) => ReactNode
