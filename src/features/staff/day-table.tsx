import { formatExactMoney } from '#contract/money.ts'
import type { IncomeDay } from '#contract/payments-review.ts'
import { longDay, shortDay } from './day-words.ts'

const head = 'border-b border-line py-2 pr-4 text-left text-sm font-semibold text-muted'
const cell = 'tabular border-b border-line py-2 pr-2 whitespace-nowrap sm:pr-4'
const number = 'pr-0! pl-2 text-right sm:pl-4'

/** The same as the bars, in figures, the newest day first. */
export function DayTable({ days }: { days: readonly IncomeDay[] }) {
  return (
    <div className="mt-4">
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">Bookings and income by day</caption>
        <thead>
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
                <span className="sm:hidden">{shortDay(date)}</span>
                <span className="max-sm:hidden">{longDay(date)}</span>
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
    </div>
  )
}
