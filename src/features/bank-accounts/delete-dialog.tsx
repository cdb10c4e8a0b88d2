import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { StepUpForm, useIsProved } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { BankAccount } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { AccountFace } from './account-card.tsx'
import { endingWords, useAccountsChanged } from './account-words.ts'

/** Two confirmations; without a fresh proof, step-up authentication is the second one. */
type Stage = 'first' | 'second' | 'proof'

const titles: Record<Stage, string> = {
  first: 'Delete this account?',
  second: 'Are you sure?',
  proof: 'Confirm it’s you',
}

type DeleteDialogProps = {
  account: BankAccount
  /** All of them, the primary one first. */
  accounts: readonly BankAccount[]
  region: Region
  onClose: () => void
  onDeleted: () => void
  /** Offered instead of deleting the only account. */
  onAdd: () => void
}

/** What a deletion takes: two confirmations, and another account that stays. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { account, accounts, region, onClose, onDeleted, onAdd } = props
  const changed = useAccountsChanged()
  const isProved = useIsProved()
  const [stage, setStage] = useState<Stage>('first')
  const remove = trpc.bankAccounts.remove.useMutation({
    onSuccess: async () => {
      await changed()
      onDeleted()
      void showToast('The account is deleted.')
    },
    onError: (error) => {
      // The proof expired meanwhile, so it is asked for after all.
      if (describeFailure(error).code === 'step_up_required') setStage('proof')
      else void changed()
    },
  })
  const failure = remove.error ? describeFailure(remove.error) : null
  const isLast = accounts.length === 1 || failure?.code === 'bank_account_last'
  if (isLast) return <LastOne onClose={onClose} onAdd={onAdd} />
  const heir = account.is_primary ? accounts.find(({ id }) => id !== account.id) : undefined
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={titles[stage]}
      footer={
        stage === 'first' ? (
          <First onGo={() => setStage(isProved() ? 'second' : 'proof')} onClose={onClose} />
        ) : stage === 'second' ? (
          <Second
            isBusy={remove.isPending}
            onGo={() => remove.mutate({ id: account.id })}
            onClose={onClose}
          />
        ) : undefined
      }
    >
      <div className="flex flex-col gap-4">
        {failure && failure.code !== 'step_up_required' && (
          <Notice kind="danger" role="alert" title="The account was not deleted">
            <p>{failure.sentence}</p>
          </Notice>
        )}
        <div className="overflow-hidden rounded-card border border-line">
          <AccountFace account={account} region={region} isCompact />
        </div>
        {heir && (
          <p>
            This is your primary account. The one {endingWords(heir)} ({heir.name}) becomes the
            primary account instead.
          </p>
        )}
        {/* In every stage: a dialog that grows would move the safe answer from under a double click. */}
        <p>We won’t keep any of its details. To use it again, you’ll have to enter them all.</p>
        {stage === 'proof' && (
          <StepUpForm
            takesFocus
            action="Confirm and delete"
            isDangerous
            onProved={() => remove.mutate({ id: account.id })}
            aside={
              <Button variant="quiet" onClick={onClose}>
                No, keep it
              </Button>
            }
          />
        )}
      </div>
    </Dialog>
  )
}

type AnswersProps = { onGo: () => void; onClose: () => void }

function First({ onGo, onClose }: AnswersProps) {
  return (
    <>
      <Button key="go" variant="danger" onClick={onGo}>
        Delete
      </Button>
      <Button key="stay" variant="secondary" onClick={onClose}>
        Keep it
      </Button>
    </>
  )
}

/** The safe answer comes first and has focus: a double click on the first question meets it. */
function Second({ isBusy, onGo, onClose }: AnswersProps & { isBusy: boolean }) {
  const safe = useRef<HTMLButtonElement>(null)
  useEffect(() => safe.current?.focus(), [])
  return (
    <>
      <Button ref={safe} variant="secondary" onClick={onClose}>
        No, keep it
      </Button>
      <Button variant="danger" isBusy={isBusy} onClick={onGo}>
        Yes, delete it
      </Button>
    </>
  )
}

function LastOne({ onClose, onAdd }: { onClose: () => void; onAdd: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="This account cannot be deleted"
      footer={
        <>
          <Button onClick={onAdd}>Add your account</Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <Notice kind="danger" role="alert">
        <p>{sentenceFor('bank_account_last')}</p>
      </Notice>
      <p className="mt-4">Add another account first, then delete this one.</p>
    </Dialog>
  )
}
