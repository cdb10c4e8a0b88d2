import type { ReactNode } from 'react'
import type { SlotChoice } from '#app/lib/slot-choice.ts'

type PickerProps = {
  providerId: string
  /** Of which type of visit; the provider's first when left out. */
  typeId?: string | undefined
  chosen: Partial<Record<keyof SlotChoice, string | undefined>>
  onChoose: (chosen: PickerProps['chosen']) => void
  renderContinue: (choice: SlotChoice, timeZone: string) => ReactNode
  whenNothingIsFree: ReactNode
  /** Stands above the nearest times when the chosen one is not free. */
  goneTitle?: string
}

/** Draws the choice of a free time; from another room. */
export type RenderPicker = (props: PickerProps) => ReactNode
