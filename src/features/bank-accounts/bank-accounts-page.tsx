import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { StepUpForm, StepUpProvider, useHasStepUp, useStepUp } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type BankAccount, MAX_BANK_ACCOUNTS } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/base/region.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import {
  AccountCard,
  AccountFace,
  AddDialog,
  EditDialog,
  endingText,
  useInvalidateAccounts,
} from './account-parts.tsx'

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4'

/** `/doctor/bank-account`: where the provider's fees are to be paid. */
export function BankAccountsPage() {
  return (
    <StepUpProvider>
      <DashboardHeading title="Your Bank Accounts">
        <Purpose />
      </DashboardHeading>
      <div className="mt-6">
        <DataBoundary
          failed="Your bank accounts didn’t load"
          pending={
            <PendingShapes className={grid} shapes={['h-60 rounded-card', 'h-60 rounded-card']} />
          }
        >
          <LeaveGuard>
            <Accounts />
          </LeaveGuard>
        </DataBoundary>
      </div>
    </StepUpProvider>
  )
}

function Purpose() {
  return (
    <p className="mt-2 max-w-prose text-muted">
      We’ll pay your fees into your primary account once payouts start. They haven’t started yet:
      until then nothing is paid into these accounts. We never take money from them.
    </p>
  )
}

type Open = { what: 'add' } | { what: 'edit' | 'delete'; account: BankAccount }

function Accounts() {
  const [{ region, accounts }] = trpc.bankAccounts.list.useSuspenseQuery()
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen, close] = useOpened<Open>()
  const primary = useMakePrimary()
  const isEmpty = accounts.length === 0
  return (
    <>
      {primary.failure && (
        <Notice
          kind="danger"
          role="alert"
          title="Your primary account wasn’t changed"
          className="mb-4"
        >
          <p>{primary.failure}</p>
        </Notice>
      )}
      {isEmpty && <NoneYet />}
      <ul ref={list} tabIndex={-1} aria-label="Accounts" className={`${grid} outline-none`}>
        {accounts.map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            region={region}
            isBusy={primary.busyId === account.id}
            onEdit={() => setOpen({ what: 'edit', account })}
            onDelete={() => setOpen({ what: 'delete', account })}
            onMakePrimary={() => primary.make(account)}
          />
        ))}
        <li className="flex">
          <AddTile
            isFull={accounts.length >= MAX_BANK_ACCOUNTS}
            onAdd={() => setOpen({ what: 'add' })}
          />
        </li>
      </ul>
      {open?.what === 'add' && <AddDialog region={region} onClose={close} />}
      {open?.what === 'edit' && (
        <EditDialog account={open.account} region={region} onClose={close} />
      )}
      {open?.what === 'delete' && (
        <DeleteDialog
          account={open.account}
          accounts={accounts}
          region={region}
          onClose={close}
          onAdd={() => setOpen({ what: 'add' })}
          onDeleted={() => {
            close()
            // The button that had focus is gone together with its card.
            list.current?.focus()
          }}
        />
      )}
    </>
  )
}

/** Makes an account the primary one, asking for step-up authentication unless it is recent. */
function useMakePrimary() {
  const { client } = trpc.useUtils()
  const prove = useStepUp()
  const invalidate = useInvalidateAccounts()
  const making = useMutation({
    mutationFn: ({ id }: BankAccount) =>
      prove(() => client.bankAccounts.makePrimary.mutate({ id })),
    onSuccess: () => showToast('Your primary account is changed.'),
    onSettled: invalidate,
  })
  return {
    make: (account: BankAccount) => making.mutate(account),
    busyId: making.isPending ? making.variables.id : null,
    failure: making.error ? describeFailure(making.error).sentence : null,
  }
}

function NoneYet() {
  return (
    <div className="mb-4 rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2 className="text-lg font-semibold">No account yet</h2>
      <p className="mt-1 max-w-prose text-muted">
        The first one you add becomes your primary account. You can keep up to {MAX_BANK_ACCOUNTS}.
      </p>
    </div>
  )
}

function AddTile({ isFull, onAdd }: { isFull: boolean; onAdd: () => void }) {
  if (isFull) {
    return (
      <p className="flex min-h-28 w-full items-center justify-center rounded-card border border-dashed border-line p-4 text-center text-muted">
        You have {MAX_BANK_ACCOUNTS} accounts. Delete one to add another.
      </p>
    )
  }
  return (
    <button
      type="button"
      onClick={onAdd}
      className="flex min-h-40 w-full flex-col items-center justify-center gap-3 rounded-card border border-dashed border-field bg-surface p-4 font-semibold text-brand-deep transition-colors duration-150 hover:border-brand hover:bg-tint"
    >
      <span className="flex size-12 items-center justify-center rounded-full bg-tint">
        <Plus aria-hidden="true" className="size-6" />
      </span>
      Add your account
    </button>
  )
}

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
function DeleteDialog(props: DeleteDialogProps) {
  const { account, accounts, region, onClose, onDeleted, onAdd } = props
  const invalidate = useInvalidateAccounts()
  const isProved = useHasStepUp()
  const [stage, setStage] = useState<Stage>('first')
  const remove = trpc.bankAccounts.remove.useMutation({
    onSuccess: async () => {
      await invalidate()
      onDeleted()
      void showToast('The account is deleted.')
    },
    onError: (error) => {
      // The proof expired meanwhile, so it is asked for after all.
      if (describeFailure(error).code === 'step_up_required') setStage('proof')
      else void invalidate()
    },
  })
  const failure = remove.error ? describeFailure(remove.error) : null
  const isLast = accounts.length === 1 || failure?.code === 'bank_account_last'
  if (isLast) return <LastAccountDialog onClose={onClose} onAdd={onAdd} />
  const nextPrimary = account.is_primary ? accounts.find(({ id }) => id !== account.id) : undefined
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={titles[stage]}
      footer={
        stage === 'first' ? (
          <FirstStepButtons
            onGo={() => setStage(isProved() ? 'second' : 'proof')}
            onClose={onClose}
          />
        ) : stage === 'second' ? (
          <SecondStepButtons
            isBusy={remove.isPending}
            onGo={() => remove.mutate({ id: account.id })}
            onClose={onClose}
          />
        ) : undefined
      }
    >
      <div className="flex flex-col gap-4">
        {failure && failure.code !== 'step_up_required' && (
          <Notice kind="danger" role="alert" title="The account wasn’t deleted">
            <p>{failure.sentence}</p>
          </Notice>
        )}
        <div className="overflow-hidden rounded-card border border-line">
          <AccountFace account={account} region={region} isCompact />
        </div>
        {nextPrimary && (
          <p>
            This is your primary account. The one {endingText(nextPrimary)} ({nextPrimary.name})
            becomes the primary account instead.
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
              <Button variant="secondary" onClick={onClose}>
                No, keep it
              </Button>
            }
          />
        )}
      </div>
    </Dialog>
  )
}

type StepProps = { onGo: () => void; onClose: () => void }

function FirstStepButtons({ onGo, onClose }: StepProps) {
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

/** The safe button comes first and has focus, so that a double click on Delete does not confirm the deletion. */
function SecondStepButtons({ isBusy, onGo, onClose }: StepProps & { isBusy: boolean }) {
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

function LastAccountDialog({ onClose, onAdd }: { onClose: () => void; onAdd: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="This account can’t be deleted"
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
        <p>{errorMessage('bank_account_last')}</p>
      </Notice>
      <p className="mt-4">Add another account first, then delete this one.</p>
    </Dialog>
  )
}
