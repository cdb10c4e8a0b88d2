import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { parseBookingPath } from '#app/lib/visitor-booking.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/code-input.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ConfirmEmailInput, type UserType } from '#contract/auth.ts'
import { isOwnPath } from '#contract/next-path.ts'
import { errorMessage } from '#contract/sentences.ts'
import { useCompleteSignIn } from './auth-search.ts'
import type { Registered } from './register-page.tsx'

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

type ResendNoticeProps = { email: string; userType: UserType; next?: string | undefined }

/** Resends the confirmation email and reports whether it was sent. */
export function ResendNotice({ email, userType, next }: ResendNoticeProps) {
  const resend = trpc.auth.resendVerification.useMutation()
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          variant="secondary"
          isBusy={resend.isPending}
          onClick={() =>
            resend.mutate({
              email,
              user_type: userType,
              ...(next !== undefined && isOwnPath(next) && { next }),
            })
          }
        >
          Send the email again
        </Button>
        <MailboxLink email={email} />
      </div>
      <p role="status" className="font-medium">
        {resend.isSuccess &&
          'If the address is waiting to be confirmed, a new email is on its way.'}
        {resend.error && describeFailure(resend.error).sentence}
      </p>
    </div>
  )
}
