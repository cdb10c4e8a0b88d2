import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { endSession } from '#app/lib/session.ts'
import { useProving } from '#app/parts/step-up.tsx'
import { forgetPrivate } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { AccountSection, FailureNotice } from './account-section.tsx'
import { EraseDialog } from './erase-dialog.tsx'

/** Deletes the account for good, after a question and a proof. */
export function EraseSection() {
  const utils = trpc.useUtils()
  const prove = useProving()
  const client = useQueryClient()
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  const [isSure, setSure] = useState(false)
  // What was loaded for an earlier question may be out of date.
  const ahead = trpc.erasure.ahead.useQuery({}, { enabled: isAsking, staleTime: 0, gcTime: 0 })
  const erase = useMutation({
    mutationFn: (seen: string | undefined) =>
      prove(() =>
        utils.client.erasure.erase.mutate({ confirm: true, ...(seen !== undefined && { seen }) }),
      ),
    // The proof has a dialog of its own: two at once would stand in each other's way.
    onMutate: () => setAsking(false),
    onError: async (error) => {
      if (describeFailure(error).code !== 'visits_changed') return
      // What is shown next is what there is now.
      await utils.erasure.ahead.reset()
      setAsking(true)
    },
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
        {!isAsking && <FailureNotice error={erase.error} title="Your account was not deleted" />}
        <div>
          <Button variant="dangerQuiet" isBusy={erase.isPending} onClick={ask}>
            Delete account
          </Button>
        </div>
      </div>
      <EraseDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        ahead={ahead.isFetching ? undefined : ahead.data}
        aheadError={ahead.isFetching ? null : ahead.error}
        onRetry={() => void ahead.refetch()}
        refusal={erase.error}
        isSure={isSure}
        onSure={setSure}
        onErase={() => erase.mutate(ahead.data?.version)}
      />
    </AccountSection>
  )
}
