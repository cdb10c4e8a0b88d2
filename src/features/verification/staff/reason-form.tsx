import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { useForm } from '#app/lib/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { Reason } from '#contract/verification-staff.ts'

type ReasonFormProps = {
  /** Label of the form, and of what its button does. */
  label: string
  field: string
  hint: string
  submit: string
  isDanger?: boolean
  /** Initial text of the field. */
  suggestion?: string
  failureTitle: string
  send: (reason: string) => Promise<unknown>
  onCancel: () => void
  /** Shown above the field. */
  children?: ReactNode
}

const ReasonSchema = z.object({ reason: Reason })
const MAX = 500

/** A text for the provider to read, and the action it explains. The field takes focus. */
export function ReasonForm(props: ReasonFormProps) {
  const { label, field, hint, submit, isDanger, suggestion = '', failureTitle } = props
  const form = useForm({
    blank: { reason: suggestion },
    schema: ReasonSchema,
    send: ({ reason }) => props.send(reason),
  })
  return (
    <FormFrame
      form={form}
      label={label}
      failureTitle={failureTitle}
      className="mt-4 gap-4! border-t border-line pt-4"
    >
      {props.children}
      <TextArea
        {...form.text('reason')}
        label={field}
        hint={hint}
        counter={`${form.values.reason.length} of ${MAX} characters`}
        rows={3}
        // Opened by a press: the user wants to type here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        className="min-h-24!"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isBusy={form.isBusy}>
          {submit}
        </Button>
        <Button variant="quiet" onClick={props.onCancel}>
          Cancel
        </Button>
      </div>
    </FormFrame>
  )
}
