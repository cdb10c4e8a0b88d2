/** A file that is read while it is sent: no more than a stretch of it is in memory. */
export type SentFile = {
  fileName: string
  /** `text/csv` when left out. */
  type?: string
  text: AsyncGenerator<string, void>
}
