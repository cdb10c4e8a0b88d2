import { useState } from 'react'
import type * as z from 'zod/mini'
import { useForm } from '#app/lib/use-form.ts'
import { ProofDialog, useProofStep } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type AddBankAccountInput, addInputs } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'
import { useAccountsChanged } from './account-words.ts'
import { DetailsActions } from './details-actions.tsx'
import { blankDetails, DetailsFields, regionDetails } from './details-fields.tsx'

/** The modal of the 'Add your account' tile. What is typed lives here and nowhere else. */
export function AddDialog({ region, onClose }: { region: Region; onClose: () => void }) {
  const { client } = trpc.useUtils()
  const proof = useProofStep()
  const changed = useAccountsChanged()
  // Names this opening of the form, so that sending it twice adds one account.
  const [key] = useState(() => crypto.randomUUID())
  const schema: z.core.$ZodType<AddBankAccountInput> = addInputs[region]
  const form = useForm({
    blank: blankDetails,
    schema,
    toInput: (typed) => ({ ...regionDetails(region, typed), key }),
    send: (input) => proof.prove(() => client.bankAccounts.add.mutate(input)),
    onSent: async () => {
      await changed()
      onClose()
      void showToast('Your account is added.')
    },
    codeFields: { bank_account_known: 'account_number' },
  })
  return (
    <ProofDialog title="Bank details" proof={proof} onClose={onClose}>
      <FormFrame form={form} label="Bank details" failureTitle="Your account was not added">
        <DetailsFields region={region} form={form} kept={null} />
        <DetailsActions isBusy={form.isBusy} onClose={onClose} />
      </FormFrame>
    </ProofDialog>
  )
}
