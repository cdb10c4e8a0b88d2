import type { Instant } from '#db/columns.ts'

/** A file of appointments imported by a provider; its rows become busy times. */
export interface ImportRow {
  id: string
  provider_no: number
  /** Name of the file. */
  name: string
  created_at: Instant
}

export interface ImportsTables {
  imports: ImportRow
}
