/** Cached formatters of each kind; a page of one region needs about ten, an email three. */
const MAX_CACHED = 80

/** Memoizes `make` by locale and options; starts over when the cache is full. */
function cacheFormats<Options extends object, Format>(
  make: (locale: string, options: Options) => Format,
): (locale: string, options: Options) => Format {
  const cache = new Map<string, Format>()
  return (locale, options) => {
    const key = locale + JSON.stringify(options)
    const known = cache.get(key)
    if (known !== undefined) return known
    if (cache.size === MAX_CACHED) cache.clear()
    const format = make(locale, options)
    cache.set(key, format)
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

/** A clock time as `Intl` formats it, with a lower-case am or pm: "2:30 pm" for "2:30 PM". */
export function lowerDayPeriod(time: string): string {
  return time.replace(/\s?([AP])M\b/, (_, half: string) => ` ${half.toLowerCase()}m`)
}
