import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { ProofDialog, useProofStep } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FailureBox } from '#app/ui/form-frame.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { SuperUser } from '#contract/super-users.ts'
import { deletingFailed, useSuperUsersChanged } from './words.ts'

type DeleteDialogProps = {
  user: SuperUser
  onClose: () => void
  onDeleted: () => void
}

/** Confirms removing a staff member, naming them. */
export function DeleteDialog({ user, onClose, onDeleted }: DeleteDialogProps) {
  const { client } = trpc.useUtils()
  const proof = useProofStep()
  const changed = useSuperUsersChanged()
  const { id, email, role } = user
  const remove = useMutation({
    mutationFn: () => proof.prove(() => client.superUsers.remove.mutate({ id, email, role })),
    onSuccess: async () => {
      await changed()
      onDeleted()
      void showToast(`${email} was removed.`)
    },
    onError: (error) => {
      const failure = describeFailure(error)
      if (failure.code === 'step_up_required') return
      void showToast(deletingFailed(failure))
      void changed()
    },
  })
  const failure = remove.error ? describeFailure(remove.error) : null
  return (
    <ProofDialog
      title="Delete user"
      proof={proof}
      onClose={onClose}
      action="Confirm and delete"
      isDangerous
    >
      <div className="flex flex-col gap-4">
        {failure && failure.code !== 'step_up_required' && (
          <FailureBox title="Failed to remove user." failure={failure} />
        )}
        <p className="text-lg">Are you sure you want to delete this ?</p>
        <dl className="rounded-field border border-line bg-sunken px-4 py-3">
          <dt className="sr-only">Email Address</dt>
          <dd className="font-semibold wrap-anywhere">{email}</dd>
          <dt className="sr-only">Role</dt>
          <dd className="text-muted">{role}</dd>
        </dl>
        <p className="text-muted">
          They’ll be signed out straight away, and we’ll email them. What they did stays in the
          audit log.
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose} className="min-w-20">
            No
          </Button>
          <Button
            variant="danger"
            isBusy={remove.isPending}
            onClick={() => remove.mutate()}
            className="min-w-20"
          >
            Yes
          </Button>
        </div>
      </div>
    </ProofDialog>
  )
}
