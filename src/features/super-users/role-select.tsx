import { Select } from '#app/ui/select.tsx'
import { StaffRole } from '#contract/staff.ts'
import { roleWords } from './words.ts'

type RoleSelectProps = {
  id: string
  name: string
  value: string
  error: string | undefined
  onChange: (event: { target: { value: string } }) => void
}

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
