import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { ProofDialog, useProofStep } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { ChangeRoleInput, type SuperUser } from '#contract/super-users.ts'
import { NotSaved } from './not-saved.tsx'
import { RoleSelect } from './role-select.tsx'
import { savingFailed, useSuperUsersChanged } from './words.ts'

/** 'Edit User Role': the address to be sure of, and another role. */
export function EditDialog({ user, onClose }: { user: SuperUser; onClose: () => void }) {
  const { client } = trpc.useUtils()
  const proof = useProofStep()
  const changed = useSuperUsersChanged()
  // What is typed is any text until the schema has seen it.
  const kept: { role: string } = { role: user.role }
  const form = useForm({
    blank: kept,
    schema: ChangeRoleInput,
    toInput: ({ role }) => ({ id: user.id, role, seen: user.role }),
    send: async (input) => {
      try {
        return await proof.prove(() => client.superUsers.changeRole.mutate(input))
      } catch (error) {
        const failure = describeFailure(error)
        if (failure.code !== 'step_up_required') {
          void showToast(savingFailed(failure))
          // What is shown behind this may be out of date.
          void changed()
        }
        throw error
      }
    },
    onSent: async () => {
      await changed()
      onClose()
      void showToast('User role updated successfully!')
    },
  })
  const { failure } = form
  const isFailed = failure !== null && failure.code !== 'step_up_required'
  return (
    <ProofDialog title="Edit User Role" proof={proof} onClose={onClose} action="Confirm and update">
      <form
        noValidate
        aria-label="Edit User Role"
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
      >
        {isFailed && (
          <NotSaved key={form.attempts} title="Failed to update role." failure={failure} />
        )}
        <TextInput
          id={`${form.id}-email`}
          label="Email"
          value={user.email}
          readOnly
          className="border-line! bg-sunken!"
        />
        <RoleSelect {...form.text('role')} />
        <p className="text-muted">They are signed out everywhere, and we email them.</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={form.isBusy}>
            Update Role
          </Button>
        </div>
      </form>
    </ProofDialog>
  )
}
