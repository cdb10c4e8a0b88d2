import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { Region } from '#contract/region.ts'
import { type OwnVerification, SendCompanyInput } from '#contract/verification.ts'
import { DocumentField } from './document-field.tsx'

const numberHint: Record<Region, string> = {
  uk: 'At Companies House, such as 01234567. If you work in your own name, your tax reference (UTR).',
  usa: 'Your Employer Identification Number (EIN), such as 12-3456789.',
}

type CompanyFormProps = {
  verification: OwnVerification
  onSent: (now: OwnVerification) => void
}

/** The company a provider works as; what was refused before stands in it again. */
export function CompanyForm({ verification, onSent }: CompanyFormProps) {
  const { client } = trpc.useUtils()
  const { company, provider } = verification
  const form = useForm({
    blank: {
      company_name: company?.company_name ?? '',
      registration_number: company?.registration_number ?? '',
      address: company?.address ?? '',
      document: '',
    },
    schema: SendCompanyInput,
    send: (input) => client.verification.sendCompany.mutate(input),
    onSent: (now) => onSent(now),
    codeFields: { not_found: 'document' },
  })
  return (
    <FormFrame form={form} label="Your company" failureTitle="Not sent">
      <TextInput
        label="Company name"
        hint="As it is registered, or your own name if you work under it."
        autoComplete="organization"
        {...form.text('company_name')}
      />
      <TextInput
        label="Registration number"
        hint={numberHint[provider.region]}
        autoComplete="off"
        spellCheck={false}
        className="tabular max-w-64 uppercase placeholder:normal-case"
        {...form.text('registration_number')}
      />
      <TextArea
        label="Registered address"
        rows={3}
        autoComplete="street-address"
        {...form.text('address')}
      />
      <DocumentField
        id={`${form.id}-document`}
        error={form.errors['document']}
        onDocument={(document) => form.set('document', document)}
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className="max-sm:w-full">
          {form.isBusy ? 'Sending' : company === null ? 'Send for review' : 'Send again'}
        </Button>
      </div>
    </FormFrame>
  )
}
