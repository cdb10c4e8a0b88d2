import { parseBookingPath } from '#app/lib/dates/slot-choice.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { UserType } from '#contract/auth.ts'
import { ConfirmEmailInput } from '#contract/auth.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { ResendNotice } from './resend-notice.tsx'

/** The new account; `handle` is the pending `auth_token`, useless on its own. */
export type Registered = { email: string; userType: UserType; handle: string }

type CheckMailProps = {
  /** `email` is null after a reload, when the address is no longer known. */
  registered: Omit<Registered, 'email'> & { email: string | null }
  next: string | undefined
}

function patientText(next: string | undefined): string {
  const words = 'Open the link in it to confirm the address is yours. It works for 24 hours.'
  if (parseBookingPath(next) === null) return words
  return `${words} Open it in this browser to go straight on with your booking.`
}

/** After registration: asks for the link in the email, or for the provider's code. */
export function CheckMail({ registered, next }: CheckMailProps) {
  const { email, userType, handle } = registered
  return (
    <>
      <Notice kind="ok" role="status" title="We’ve emailed you">
        <p>
          The email is on its way
          {email === null ? '' : ' to '}
          {email !== null && <strong className="wrap-anywhere">{email}</strong>}.{' '}
          {userType === 'provider'
            ? 'It has a code that works for 10 minutes and a link that works for 24 hours. Use either to confirm the address is yours.'
            : patientText(next)}
        </p>
      </Notice>
      {userType === 'provider' && <EmailCodeForm handle={handle} next={next} />}
      <section aria-labelledby="no-mail">
        <h2 id="no-mail" className="text-xl font-semibold">
          No email?
        </h2>
        <p className="mt-2 mb-4 text-muted">
          It can take a few minutes. Check your spam folder as well.
        </p>
        {email === null ? (
          <p>
            Sign in with your email address and password, and we can send you a new email from
            there.
          </p>
        ) : (
          <ResendNotice email={email} userType={userType} next={next} />
        )}
      </section>
    </>
  )
}

type EmailCodeFormProps = { handle: string; next: string | undefined }

/** The six-digit code of a provider's registration email; the right code signs in. */
function EmailCodeForm({ handle, next }: EmailCodeFormProps) {
  const { client } = trpc.useUtils()
  const completeSignIn = useCompleteSignIn(next)
  const form = useForm({
    blank: { otp: '' },
    schema: ConfirmEmailInput,
    toInput: (values) => ({ ...values, auth_token: handle }),
    send: (input) => client.auth.confirmEmail.mutate(input),
    onSent: async ({ me }) => {
      if (me === null) return { otp: errorMessage('code_invalid') }
      await completeSignIn(me)
      return undefined
    },
  })
  return (
    <FormFrame form={form} label="Confirm with the code" failureTitle="Not confirmed">
      <CodeInput label="Code from the email" hint="Six digits." {...form.text('otp')} />
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          Confirm
        </Button>
      </div>
    </FormFrame>
  )
}

type ConfirmMailProps = {
  /** The pending `auth_token` of the registration. */
  handle: string
  /** Null after a reload, when the address is no longer known. */
  email: string | null
  next: string
}

/** First step of a provider's verification: the emailed code, which signs in and continues. */
export function ConfirmMail({ handle, email, next }: ConfirmMailProps) {
  return (
    <>
      <CheckMail registered={{ email, userType: 'provider', handle }} next={next} />
      <p className="border-t border-line pt-6">
        Have you followed the link in the email?{' '}
        <TextLink to="/sign-in" search={{ as: 'provider', next }}>
          Sign in
        </TextLink>
      </p>
    </>
  )
}
