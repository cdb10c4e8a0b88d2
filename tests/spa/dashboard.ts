import { page } from 'vitest/browser'
import { draftOf, toInput, withDefaultWeek } from '#app/features/availability/hours/draft.ts'
import type { makeRouter } from '#app/router.tsx'
import { makeApiClient } from '#app/trpc.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, signIn } from '#tests/harness/spa/spa-page.tsx'
import type { ProviderOverrides, VisitsOptions } from '#tests/harness/spa/spa-wire.ts'

type Visits = Omit<VisitsOptions['visits'][number], 'patientNo'>[]

type DashboardOptions = {
  visits?: Visits
  overrides?: ProviderOverrides
  /** Whether the provider has saved the typical week that the editor starts with. */
  hasHours?: boolean
  /** Start times within these hours that the patient books and pays. */
  booked?: readonly string[]
}

/** Saves the week that the editor of hours starts with, for the signed-in provider. */
async function saveTypicalHours(): Promise<void> {
  const { availability } = makeApiClient()
  const mine = await availability.mine.query()
  const draft = withDefaultWeek(draftOf(mine), mine.places[0]?.id ?? '')
  await availability.saveHours.mutate({ version: mine.version, ...toInput(draft) })
}

/** Signs in a provider with these visits, and opens one of their pages. */
export async function openDashboard(
  testApp: Backend,
  address: string,
  { visits = [], overrides = {}, hasHours = false, booked = [] }: DashboardOptions = {},
) {
  const provider = await testApp.addProvider(overrides)
  const account = await testApp.addAccount({
    kind: 'provider',
    email: provider.email,
    first_name: 'Amara',
    provider_no: provider.no,
  })
  const patient = await testApp.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  await testApp.insertVisits({
    provider,
    visits: visits.map((visit) => ({ patientNo: patient.no, ...visit })),
  })
  await signIn(account)
  if (hasHours) await saveTypicalHours()
  const { id: providerId } = provider
  for (const startsAt of booked) {
    await testApp.bookVisit({ providerId, startsAt, account: patient })
  }
  return { ...(await openPage(address)), provider, account, patient }
}

/** One visit a day for `count` days up to 28 February 2026, latest first. */
export function dailyVisits(count: number): Visits {
  return Array.from({ length: count }, (_, n) => ({
    startsAt: new Date(Date.UTC(2026, 1, 28 - n, 10)).toISOString(),
  }))
}

/** The filters of a history. */
export const filters = () => page.getByRole('form', { name: 'Filters' })

/** Selects a value in one of the filters. */
export const choose = (label: string, value: string) =>
  filters().getByRole('combobox', { name: label, exact: true }).selectOptions(value)

/** The field for a year. */
export const year = () => filters().getByRole('spinbutton', { name: 'Year' })

/** Submits the filters. */
export const submit = () => filters().getByRole('button', { name: 'Submit' }).click()

/** The table of a history. */
export const table = () => page.getByRole('table', { name: 'Booked appointments' })

/** The texts of a row; the header is row 0. */
export const cells = (row: number) =>
  table()
    .getByRole('row')
    .nth(row)
    .getByRole('cell')
    .elements()
    // The appointment's reference is shown below the name from the specification.
    .map(({ textContent }) => textContent.replace(/AP-[0-9A-Z]{4}-[0-9A-Z]{2}$/, ''))

/** The texts of one column, counted from 0, from the top. */
export const column = (at: number) =>
  table()
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.children[at]?.textContent)

/** The options of a filter: values and texts. */
export const optionsOf = (label: string) =>
  filters()
    .getByRole('combobox', { name: label, exact: true })
    .getByRole('option')
    .elements()
    .map((option) => [option.getAttribute('value'), option.textContent])

/** The message of an empty history. */
export const emptyMessage = () =>
  page.getByText('No appointment history found.', { exact: true }).last()

/** Keeps only the viewer's first `count` weekly hours, as another window of theirs would. */
export async function saveInOtherWindow(
  router: ReturnType<typeof makeRouter>,
  count: number,
): Promise<void> {
  const { availability } = router.options.context.client
  const { version, settings, hours } = await availability.mine.query()
  await availability.saveHours.mutate({ version, settings, hours: hours.slice(0, count) })
}
