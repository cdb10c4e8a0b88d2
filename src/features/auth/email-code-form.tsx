import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/code-input.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { ConfirmEmailInput } from '#contract/auth.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { useArrival } from './auth-search.ts'

type EmailCodeFormProps = { handle: string; next: string | undefined }

/** The six digits of a provider's registration mail; the right ones sign in at once. */
export function EmailCodeForm({ handle, next }: EmailCodeFormProps) {
  const { client } = trpc.useUtils()
  const arrive = useArrival(next)
  const form = useForm({
    blank: { otp: '' },
    schema: ConfirmEmailInput,
    toInput: (values) => ({ ...values, auth_token: handle }),
    send: (input) => client.auth.confirmEmail.mutate(input),
    onSent: async ({ me }) => {
      if (me === null) return { otp: sentenceFor('code_invalid') }
      await arrive(me)
      return undefined
    },
  })
  return (
    <FormFrame form={form} label="Confirm with the code" failureTitle="Not confirmed">
      <CodeInput label="Code in the mail" hint="Six digits." {...form.text('otp')} />
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          Confirm
        </Button>
      </div>
    </FormFrame>
  )
}
