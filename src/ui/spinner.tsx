/** A turning ring beside words that say what is going on; silent for screen readers. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-[1.1em] shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}
