import type { ComponentProps } from 'react'
import { Select } from '#app/ui/select.tsx'
import { StaffRole } from '#contract/staff.ts'
import { roleWords } from './words.ts'

type RoleSelectProps = Omit<ComponentProps<typeof Select>, 'label' | 'hint' | 'children'>

/** One of the four roles, with what it is for. */
export function RoleSelect({ value, ...field }: RoleSelectProps) {
  const role = StaffRole.safeParse(value)
  return (
    <Select
      label="Role"
      hint={role.success ? roleWords[role.data] : 'It decides what they may do.'}
      value={value}
      {...field}
    >
      <option value="">Select a role</option>
      {StaffRole.options.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Select>
  )
}
