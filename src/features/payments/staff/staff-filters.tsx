import { useId, useState } from 'react'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { type MoreFilters, readMore, SEARCH_MAX } from './staff-address.ts'

type Draft = Record<keyof MoreFilters, string>

/** What is chosen of the filters only staff have, before Submit. */
export function useMoreDraft(applied: MoreFilters) {
  const [draft, setDraft] = useState<Draft>(applied)
  const [seen, setSeen] = useState(applied)
  // Whoever goes back in the browser finds the filters as they were then.
  if (JSON.stringify(seen) !== JSON.stringify(applied)) {
    setSeen(applied)
    setDraft(applied)
  }
  return { draft, setDraft, wanted: () => readMore(draft) }
}

type StaffFiltersProps = { draft: Draft; onChange: (draft: Draft) => void }

/** One field for whatever staff were told: what it is is seen by its form. */
export function StaffSearch({ draft, onChange }: StaffFiltersProps) {
  const nameless = useWhyNot('seeNames')
  return (
    <TextInput
      id={useId()}
      label={nameless === null ? 'Name, email, reference or payment ID' : 'Reference or payment ID'}
      type="search"
      autoComplete="off"
      spellCheck={false}
      maxLength={SEARCH_MAX}
      value={draft.search}
      onChange={(event) => onChange({ ...draft, search: event.currentTarget.value })}
    />
  )
}

/** The filters only staff have: order, status, region. */
export function StaffFilters({ draft, onChange }: StaffFiltersProps) {
  const id = useId()
  const nameless = useWhyNot('seeNames')
  const field = (name: keyof Draft) => ({
    id: `${id}-${name}`,
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <>
      <Select label="Sort by" {...field('sort_by')}>
        <option value="date">Date</option>
        <option value="amount">Amount</option>
        <option value="user_name" disabled={nameless !== null}>
          User name
        </option>
        <option value="doctor_name" disabled={nameless !== null}>
          Doctor name
        </option>
        <option value="payment_method">Payment method</option>
      </Select>
      <Select label="Status" {...field('state')}>
        <option value="all">All</option>
        <option value="confirmed">Booked</option>
        <option value="cancelled">Cancelled</option>
        <option value="refunded">Refunded</option>
      </Select>
      <Select label="Region" {...field('region')}>
        <option value="all">All</option>
        <option value="uk">UK</option>
        <option value="usa">USA</option>
      </Select>
    </>
  )
}
