import type * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { ProofDialog, useProofStep } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type BankAccount, type EditBankAccountInput, editInputs } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'
import { useAccountsChanged } from './account-words.ts'
import { DetailsActions } from './details-actions.tsx'
import { blankDetails, DetailsFields, regionDetails } from './details-fields.tsx'

type EditDialogProps = { account: BankAccount; region: Region; onClose: () => void }

/** Changes an account. Its number is not known here: it stays unless another is typed. */
export function EditDialog({ account, region, onClose }: EditDialogProps) {
  const { client } = trpc.useUtils()
  const proof = useProofStep()
  const changed = useAccountsChanged()
  const schema: z.core.$ZodType<EditBankAccountInput> = editInputs[region]
  const form = useForm({
    blank: {
      ...blankDetails,
      name: account.name,
      [region === 'uk' ? 'sort_code' : 'routing_number']: account.bank_code,
      account_type: account.account_type ?? blankDetails.account_type,
    },
    schema,
    toInput: (typed) => {
      const { account_number, ...rest } = regionDetails(region, typed)
      const given = account_number.trim() === '' ? {} : { account_number }
      return { ...rest, ...given, id: account.id, version: account.version }
    },
    send: async (input) => {
      try {
        return await proof.prove(() => client.bankAccounts.edit.mutate(input))
      } catch (error) {
        const { code } = describeFailure(error)
        // What is shown behind this is out of date.
        if (code === 'bank_account_changed' || code === 'bank_account_not_found') void changed()
        throw error
      }
    },
    onSent: async () => {
      await changed()
      onClose()
      void showToast('Your account is saved.')
    },
    codeFields: { bank_account_known: 'account_number' },
  })
  return (
    <ProofDialog title="Edit bank details" proof={proof} onClose={onClose}>
      <FormFrame form={form} label="Bank details" failureTitle="Nothing was changed">
        <DetailsFields region={region} form={form} kept={account.account_number} />
        <DetailsActions isBusy={form.isBusy} onClose={onClose} />
      </FormFrame>
    </ProofDialog>
  )
}
