import type { Instant } from '#db/columns.ts'

/** A file of appointments that a provider brought along; its rows are busy times. */
export interface ImportRow {
  id: string
  provider_no: number
  /** Of the file. */
  name: string
  created_at: Instant
}

export interface ImportsTables {
  imports: ImportRow
}
