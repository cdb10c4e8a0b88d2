/** Where "Skip the map" leads: the element after it. */
export const AFTER_MAP = 'after-map'

/** For the keyboard: past the pins of the map; everybody on it is in the list too. */
export function SkipMap() {
  return (
    <a
      href={`#${AFTER_MAP}`}
      onClick={(event) => {
        event.preventDefault()
        document.getElementById(AFTER_MAP)?.focus()
      }}
      className="sr-only rounded-field bg-brand px-4 py-3 font-semibold text-on-brand focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-1000"
    >
      Skip the map
    </a>
  )
}
