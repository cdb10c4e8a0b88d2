/** Formatters of each sort that are kept; a page of one region needs about ten, an email three. */
const KEPT = 40

/** Hands out what `make` makes of a locale and options: the same object again while it is kept. */
function keeping<Options extends object, Format>(
  make: (locale: string, options: Options) => Format,
): (locale: string, options: Options) => Format {
  const kept = new Map<string, Format>()
  return (locale, options) => {
    const key = locale + JSON.stringify(options)
    const format = kept.get(key) ?? make(locale, options)
    // The one asked for last stands last; the first is the one nobody has asked for the longest.
    kept.delete(key)
    kept.set(key, format)
    const oldest = kept.keys().next()
    if (kept.size > KEPT && !oldest.done) kept.delete(oldest.value)
    return format
  }
}

/**
 * A date formatter, made once for each locale and options: making one takes a phone longer than
 * formatting a whole page of times with it, and holds 100 kB outside the heap, where the garbage
 * collector does not see what a server makes for each email.
 */
export const dateFormat = keeping(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

const keptNumberFormat = keeping(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)

/** A number formatter, made once for each locale and options. */
export function numberFormat(
  locale: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  return keptNumberFormat(locale, options)
}

/**
 * What people call the clock of a place: "London time" in the UK, "Central Time" in the USA, where the
 * city of the zone may be far away.
 */
export function clockName(timeZone: string): string {
  if (timeZone.startsWith('Europe/')) return `${timeZone.slice('Europe/'.length)} time`
  const name = dateFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')
  return name?.value ?? timeZone
}
