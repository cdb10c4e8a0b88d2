import { useId, useState } from 'react'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { readReference } from '#contract/ids.ts'
import { type MoreFilters, readMore } from './staff-address.ts'

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

type StaffFiltersProps = {
  draft: Draft
  /** What the list below was asked for. */
  applied: MoreFilters
  onChange: (draft: Draft) => void
}

const isReference = (text: string) => text === '' || readReference(text) !== null

/** The filters only staff have: order, state, region, and names for those who may see them. */
export function StaffFilters({ draft, applied, onChange }: StaffFiltersProps) {
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
      <Select label="State" {...field('state')}>
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
      <TextInput
        label="Reference"
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        error={isReference(applied.reference) ? undefined : 'References look like AP-7K3M-2Q.'}
        {...field('reference')}
      />
      <TextInput
        label="Name"
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        disabled={nameless !== null}
        {...(nameless !== null && { hint: nameless })}
        {...field('name')}
      />
    </>
  )
}
