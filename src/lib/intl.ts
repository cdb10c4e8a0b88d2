const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

/**
 * A date formatter, made once for each locale and options: making one takes a phone longer than
 * formatting a whole page of times with it.
 */
export function dateFormat(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  let format = dates.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, options)
    dates.set(key, format)
  }
  return format
}

/** A number formatter, made once for each locale and options. */
export function numberFormat(
  locale: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  let format = numbers.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, options)
    numbers.set(key, format)
  }
  return format
}
