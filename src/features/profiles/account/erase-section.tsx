import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { endSession } from '#app/lib/session.ts'
import { useProving } from '#app/parts/step-up.tsx'
import { forgetPrivate } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { AccountSection } from './account-section.tsx'
import { FailureNotice } from './failure-notice.tsx'

/** Deletes the account for good, after a question and a proof. */
export function EraseSection() {
  const utils = trpc.useUtils()
  const prove = useProving()
  const client = useQueryClient()
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  const [isSure, setSure] = useState(false)
  const erase = useMutation({
    mutationFn: () => prove(() => utils.client.profiles.erase.mutate({ confirm: true })),
    // The proof has a dialog of its own: two at once would stand in each other's way.
    onMutate: () => setAsking(false),
    onSuccess: async (answer) => {
      await router.navigate({ to: '/home' })
      endSession(answer.localStorage)
      forgetPrivate(client)
      void showToast('Your account is deleted.')
    },
  })
  const ask = () => {
    setSure(false)
    erase.reset()
    setAsking(true)
  }
  return (
    <AccountSection
      id="erase"
      title="Delete your account"
      lead="This cannot be undone. Download your data first if you want to keep it."
    >
      <div className="flex flex-col gap-4">
        <FailureNotice error={erase.error} title="Your account was not deleted" />
        <div>
          <Button variant="dangerQuiet" isBusy={erase.isPending} onClick={ask}>
            Delete account
          </Button>
        </div>
      </div>
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete your account?"
        footer={
          <>
            <Button variant="danger" disabled={!isSure} onClick={() => erase.mutate()}>
              Delete for good
            </Button>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep my account
            </Button>
          </>
        }
      >
        <p>
          Your name, address, phone number, photo and messages are deleted at once, on all devices.
          What the law makes us keep is kept without your name.
        </p>
        <div className="mt-2">
          <Checkbox
            label="I want to delete my account."
            checked={isSure}
            onChange={({ target }) => setSure(target.checked)}
          />
        </div>
      </Dialog>
    </AccountSection>
  )
}
