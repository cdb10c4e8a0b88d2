/**
 * Moves the wall clock of this process or page, once. Timers and `performance` go on as they are. It is sent to pages as
 * text, so it uses nothing from outside.
 */
export function moveClock(byMs: number): void {
  if (byMs === 0 || 'movedClock' in globalThis) return
  const real = Date.now
  const now = () => real() + byMs
  const moved = new Proxy(Date, {
    apply: (target) => new target(now()).toString(),
    construct: (target, values: unknown[], made) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a class of dates makes dates
      Reflect.construct(target, values.length === 0 ? [now()] : values, made) as Date,
    get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
  })
  Object.assign(globalThis, { movedClock: byMs, Date: moved })
  Object.assign(Date.prototype, { constructor: moved })
  if (!('Temporal' in globalThis)) return
  const instant = () => Temporal.Instant.fromEpochMilliseconds(now())
  const zoned = (zone: Temporal.TimeZoneLike = Temporal.Now.timeZoneId()) =>
    instant().toZonedDateTimeISO(zone)
  Object.assign(Temporal.Now, {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainTime(),
  })
}
