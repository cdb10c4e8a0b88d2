import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useSignOut } from './use-sign-out.ts'

/** The documented confirmation before logging out. */
export function LogoutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const signOut = useSignOut()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Are you sure you want to logout?"
      footer={
        <>
          <Button
            isBusy={signOut.isPending}
            onClick={() => signOut.mutate('logout', { onSuccess: onClose })}
          >
            Yes
          </Button>
          <Button variant="secondary" onClick={onClose}>
            No
          </Button>
        </>
      }
    >
      <p>You’ll need your email and password to sign in again.</p>
      {signOut.error && (
        <Notice kind="danger" role="alert" title="You’re still logged in" className="mt-4">
          <p>{describeFailure(signOut.error).sentence}</p>
        </Notice>
      )}
    </Dialog>
  )
}
