import type { Flag, Instant } from '#db/columns.ts'

/** One bookable time. Generated for the horizon; `free` turns 0 while held or booked. */
export interface SlotRow {
  provider_no: number
  start_at: Instant
  place_no: number
  minutes: number
  free: Flag
}

export interface AvailabilityTables {
  slots: SlotRow
}
