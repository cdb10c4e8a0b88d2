import { formatExactMoney } from '#app/lib/format-money.ts'
import type { IncomeDay } from '#contract/payments-review.ts'
import { longDay } from './day-words.ts'

const frame = 'mt-4 max-h-96 overflow-auto rounded-field border border-line px-4'
const head = 'border-b border-line py-2 pr-4 text-left text-sm font-semibold text-muted'
const cell = 'tabular border-b border-line py-2 pr-4 whitespace-nowrap'
const number = 'pr-0! pl-4 text-right'

/** The same as the bars, in figures, the newest day first. */
export function DayTable({ days }: { days: readonly IncomeDay[] }) {
  return (
    // What scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section tabIndex={0} aria-label="Table of the days" className={frame}>
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">Bookings and income by day</caption>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <th scope="col" className={head}>
              Day
            </th>
            <th scope="col" className={`${head} ${number}`}>
              Bookings
            </th>
            <th scope="col" className={`${head} ${number}`}>
              Pounds
            </th>
            <th scope="col" className={`${head} ${number}`}>
              Dollars
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, bookings, income }) => (
            <tr key={date}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                {longDay(date)}
              </th>
              <td className={`${cell} ${number}`}>{bookings}</td>
              <td className={`${cell} ${number}`}>
                {formatExactMoney({ minor: income.GBP, currency: 'GBP' })}
              </td>
              <td className={`${cell} ${number}`}>
                {formatExactMoney({ minor: income.USD, currency: 'USD' })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
