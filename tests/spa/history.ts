import { page } from 'vitest/browser'

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
