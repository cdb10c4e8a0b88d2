import type { ComponentProps } from 'react'
import { Select, TextArea } from '#app/ui/fields.tsx'
import { CancelReason, cancelReasonLabels } from '#contract/visits.ts'

type Props = {
  /** Field properties from the form: `form.text('reason')`. */
  reason: Omit<ComponentProps<typeof Select>, 'label' | 'children'>
  note: Omit<ComponentProps<typeof TextArea>, 'label'>
  /** The reason goes to several patients. */
  isForSeveral?: boolean
}

/** Why a provider cancels, as their patients are told. */
export function CancelReasonFields({ reason, note, isForSeveral = false }: Props) {
  return (
    <>
      <Select
        label="Reason"
        hint={isForSeveral ? 'We’ll tell the patients.' : 'We’ll tell the patient.'}
        {...reason}
      >
        <option value="">Choose a reason</option>
        {CancelReason.options.map((one) => (
          <option key={one} value={one}>
            {cancelReasonLabels[one]}
          </option>
        ))}
      </Select>
      <MessageField
        label={isForSeveral ? 'Message to the patients' : 'Message to the patient'}
        {...note}
      />
    </>
  )
}

/** What a provider writes in the email about a change. */
export function MessageField(field: ComponentProps<typeof TextArea>) {
  return (
    <TextArea
      isOptional
      hint="Up to 300 characters, sent by email. Leave out anything medical."
      rows={3}
      className="min-h-24"
      {...field}
    />
  )
}
