/** Most formatters of each kind that are cached. */
const MAX_CACHED = 40

/** Memoizes `make` by locale and options, in an LRU cache. */
function cacheFormats<Options extends object, Format>(
  make: (locale: string, options: Options) => Format,
): (locale: string, options: Options) => Format {
  const cache = new Map<string, Format>()
  return (locale, options) => {
    const key = locale + JSON.stringify(options)
    const format = cache.get(key) ?? make(locale, options)
    // Moves the entry to the end; the first one is the least recently used.
    cache.delete(key)
    cache.set(key, format)
    const oldest = cache.keys().next()
    if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value)
    return format
  }
}

/** A date formatter, cached by locale and options: creating one is slow. */
export const dateFormat = cacheFormats(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

const cachedNumberFormat = cacheFormats(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)

/** A number formatter, cached by locale and options. */
export function numberFormat(
  locale: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  return cachedNumberFormat(locale, options)
}

/**
 * How people name the time zone of a place: "London time" in the UK, "Central Time" in the USA, where the zone's city
 * may be far away.
 */
export function timeZoneLabel(timeZone: string): string {
  if (timeZone.startsWith('Europe/')) return `${timeZone.slice('Europe/'.length)} time`
  const name = dateFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')
  return name?.value ?? timeZone
}
