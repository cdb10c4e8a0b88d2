import { type ComponentProps, useCallback, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { StepUpDialog, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FailureBox, FormFrame } from '#app/ui/form-frame.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { errorMessage } from '#contract/base/sentences.ts'
import { StaffRole } from '#contract/base/staff.ts'
import { AddSuperUserInput, ChangeRoleInput, type SuperUser } from '#contract/super-users.ts'

/** What each role is for, in a line. */
const roleDescriptions: Record<StaffRole, string> = {
  superuser: 'Can do everything an admin can, and manages staff, exports and the audit log.',
  admin: 'Verifies providers, sees names in payments, refunds, and publishes the homepage.',
  editor: 'Publishes the homepage and sees payments without names.',
  author: 'Adds images to the gallery and publishes nothing.',
}

/** No response at all. */
const NO_RESPONSE: ReadonlySet<Failure['code']> = new Set(['offline', 'timeout'])

/** A response that did not come from our server. */
const FOREIGN_RESPONSE: ReadonlySet<Failure['code']> = new Set(['unknown', 'outdated'])

/** The documented toast when adding or changing a staff member failed. */
function saveFailureText({ code, sentence }: Failure): string {
  return NO_RESPONSE.has(code) || FOREIGN_RESPONSE.has(code) ? 'Something went wrong.' : sentence
}

/** The documented toast when deleting a staff member failed. */
export function deleteFailureText({ code, sentence }: Failure): string {
  if (NO_RESPONSE.has(code)) return 'Something went wrong. Try again.'
  return FOREIGN_RESPONSE.has(code) ? 'Something went wrong' : sentence
}

/** Refetches the list; resolves when it has loaded. */
export function useInvalidateSuperUsers(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.superUsers.list.invalidate(), [utils])
}

/** Shown beside each empty field, below the sentence of the specification. */
const emptyFields = {
  email: 'Enter an email address.',
  role: 'Choose a role.',
  password: 'Enter a first password.',
}

const FIELDS_MISSING = errorMessage('fields_missing')

/** 'Add New Super User': an email address, a role and a first password, valid once. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { client } = trpc.useUtils()
  const proof = useStepUpState()
  const invalidate = useInvalidateSuperUsers()
  const form = useForm({
    blank: { email: '', role: '', password: '' },
    schema: AddSuperUserInput,
    send: async (input) => {
      try {
        return await proof.prove(() => client.superUsers.add.mutate(input))
      } catch (error) {
        const failure = describeFailure(error)
        if (failure.code !== 'step_up_required') void showToast(saveFailureText(failure))
        throw error
      }
    },
    onSent: async ({ email }) => {
      await invalidate()
      onClose()
      void showToast(`${email} was added. Now tell them the first password.`)
    },
    codeFields: { staff_known: 'email' },
  })
  const isMissing = Object.values(form.errors).includes(FIELDS_MISSING)
  const text = (path: keyof typeof form.values) => {
    const field = form.text(path)
    return { ...field, error: field.error === FIELDS_MISSING ? emptyFields[path] : field.error }
  }
  const { failure } = form
  const isFailed = failure !== null && failure.code !== 'step_up_required'
  const isInFields = Object.keys(form.errors).length > 0
  return (
    <StepUpDialog
      title="Add New Super User"
      proof={proof}
      onClose={onClose}
      action="Confirm and add"
    >
      <form
        noValidate
        aria-label="Add New Super User"
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
      >
        {isMissing && <FailureBox key={form.attempts} title={FIELDS_MISSING} failure={null} />}
        {isFailed && (
          <FailureBox
            key={form.attempts}
            title="Failed to add user."
            failure={isInFields ? null : failure}
          />
        )}
        <TextInput
          type="email"
          inputMode="email"
          autoComplete="off"
          label="Email"
          {...text('email')}
        />
        <RoleSelect {...text('role')} />
        <PasswordInput
          label="Password"
          hint="A first password: they sign in with it once, then choose their own. We don’t email it, so give it to them yourself."
          autoComplete="new-password"
          {...text('password')}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={form.isBusy}>
            Add User
          </Button>
        </div>
      </form>
    </StepUpDialog>
  )
}

/** 'Edit User Role': the email address to identify the person, and a new role. */
export function EditDialog({ user, onClose }: { user: SuperUser; onClose: () => void }) {
  const { client, superUsers } = trpc.useUtils()
  const proof = useStepUpState()
  const invalidate = useInvalidateSuperUsers()
  // Typed as any string until the schema has parsed it.
  const initial: { role: string } = { role: user.role }
  const [seen, setSeen] = useState(user.role)
  const form = useForm({
    blank: initial,
    schema: ChangeRoleInput,
    toInput: ({ role }) => ({ id: user.id, role, seen }),
    send: async (input) => {
      try {
        return await proof.prove(() => client.superUsers.changeRole.mutate(input))
      } catch (error) {
        const failure = describeFailure(error)
        if (failure.code !== 'step_up_required') {
          void showToast(saveFailureText(failure))
          // Someone else may have changed the role, as the message says: the next attempt is based on the current one.
          await invalidate()
          const { users = [] } = superUsers.list.getData() ?? {}
          setSeen(users.find(({ id }) => id === user.id)?.role ?? seen)
        }
        throw error
      }
    },
    onSent: async () => {
      await invalidate()
      onClose()
      void showToast('User role updated successfully!')
    },
  })
  const { failure } = form
  const isFailed = failure !== null && failure.code !== 'step_up_required'
  return (
    <StepUpDialog
      title="Edit User Role"
      proof={proof}
      onClose={onClose}
      action="Confirm and update"
    >
      <FormFrame
        // A step-up that was called off is no failure.
        form={isFailed ? form : { ...form, failure: null }}
        label="Edit User Role"
        failureTitle="Failed to update role."
      >
        <TextInput
          id={`${form.id}-email`}
          label="Email"
          value={user.email}
          readOnly
          className="border-line! bg-sunken!"
        />
        <RoleSelect {...form.text('role')} />
        <p className="text-muted">They’ll be signed out everywhere, and we’ll email them.</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={form.isBusy}>
            Update Role
          </Button>
        </div>
      </FormFrame>
    </StepUpDialog>
  )
}

type RoleSelectProps = Omit<ComponentProps<typeof Select>, 'label' | 'hint' | 'children'>

/** One of the four roles, with what it is for. */
function RoleSelect({ value, ...field }: RoleSelectProps) {
  const role = StaffRole.safeParse(value)
  return (
    <Select
      label="Role"
      hint={role.success ? roleDescriptions[role.data] : 'The role decides what they can do.'}
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
