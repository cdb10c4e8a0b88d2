/** The first tab stop: skips the header to the main content. */
export function SkipLink() {
  return (
    <a
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
      className="absolute top-2 left-2 z-50 -translate-y-24 rounded-field bg-brand px-4 py-3 font-semibold text-on-brand focus:translate-y-0"
    >
      Skip to main content
    </a>
  )
}

/** Announces its text to screen readers whenever it changes, without showing it. */
export function LiveRegion({ text }: { text: string }) {
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}
