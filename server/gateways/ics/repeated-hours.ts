/** `20261025T013000` as parts. */
const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/

/** Local times that occur twice because clocks go back. */
export class RepeatedHours {
  /** Whether a day has such times, by its zone and date: most entries of a calendar share a few days. */
  readonly #days = new Map<string, boolean>()

  /** Both instants of a local time in an IANA zone, the earlier one first; none if it occurs only once. */
  instants(stamp: string, zone: string): number[] {
    const parts = STAMP.exec(stamp)?.slice(1).map(Number) ?? []
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    const wall = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second })
    if (!this.#isLong(wall.toPlainDate(), zone)) return []
    const both = (['earlier', 'later'] as const).map((disambiguation) =>
      wall.toZonedDateTime(zone, { disambiguation }),
    )
    const isRepeated = both.every((one) => one.toPlainDateTime().equals(wall))
    const found = both.map(({ epochMilliseconds }) => epochMilliseconds)
    return isRepeated && found[0] !== found[1] ? found : []
  }

  #isLong(date: Temporal.PlainDate, zone: string): boolean {
    const key = `${zone} ${date.toString()}`
    let isLong = this.#days.get(key)
    if (isLong === undefined) {
      this.#days.set(key, (isLong = date.toZonedDateTime(zone).hoursInDay > 24))
    }
    return isLong
  }
}
