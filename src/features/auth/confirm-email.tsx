import { parseBookingPath } from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { readStored } from '#app/lib/storage.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { HeldForVisitor, useNextWithHold, useVisitorHold } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ConfirmEmailInput, type UserType } from '#contract/auth.ts'
import { isOwnPath } from '#contract/base/next-path.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { BarePage, submitClass } from './auth-page.tsx'
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

/** Answers after which the same link can only be refused again. */
const DEAD_LINK_CODES = new Set<string>(['verify_link_invalid', 'invalid_input'])

type VerifyPageProps = {
  token: string | null
  /** Page the user was going to when registering, from the link in the email. */
  next: string | undefined
}

/**
 * `/verify/{email_verify}`: email scanners open every link, so only the button confirms. The browser that
 * registered has the pending `auth_token` and is signed in.
 */
export function VerifyPage({ token, next: nextInUrl }: VerifyPageProps) {
  const next = useNextWithHold(nextInUrl)
  const { hold } = useVisitorHold()
  const invalidateMe = useInvalidateMe()
  const completeSignIn = useCompleteSignIn(next)
  const verify = trpc.auth.verifyEmail.useMutation({
    onSuccess: ({ me }) => (me === undefined ? invalidateMe() : completeSignIn(me)),
  })
  if (token === null) return <ReopenLink />
  if (verify.data) {
    const { user_type: userType, email, me } = verify.data
    return (
      <BarePage title="Email address confirmed" isAnswer>
        <Notice kind="ok" role="status" title="Thank you">
          <p>
            <span className="wrap-anywhere">{email}</span> is confirmed.{' '}
            {me === undefined ? 'You can sign in now.' : 'You are signed in.'}
          </p>
        </Notice>
        {me === undefined && userType === 'staff' && (
          <div>
            <LinkButton to="/admin-signin" size="large" className={submitClass}>
              Sign in
            </LinkButton>
          </div>
        )}
        {me === undefined && userType !== 'staff' && (
          <div>
            <LinkButton
              to="/sign-in"
              search={
                userType === 'provider'
                  ? { as: 'provider', next: '/provider-verify' }
                  : signInSearch(next)
              }
              size="large"
              className={submitClass}
            >
              Sign in
            </LinkButton>
          </div>
        )}
      </BarePage>
    )
  }
  const failure = verify.error && describeFailure(verify.error)
  if (failure && DEAD_LINK_CODES.has(failure.code))
    return <DeadLink sentence={failure.sentence} next={next} />
  return (
    <BarePage
      title="Confirm your email address"
      lead="Press the button to confirm that this address is yours."
    >
      {hold !== null && <HeldForVisitor hold={hold} />}
      {failure && (
        <Notice kind="danger" role="alert" title="Not confirmed">
          <p>{failure.sentence}</p>
        </Notice>
      )}
      <div>
        <Button
          size="large"
          isBusy={verify.isPending}
          onClick={() => verify.mutate({ token, ...pendingAuthToken() })}
          className={submitClass}
        >
          Confirm my address
        </Button>
      </div>
    </BarePage>
  )
}

/** Query parameters of the sign-in page that lead on to `next`. */
function signInSearch(next: string | undefined): { next?: string } {
  return next === undefined ? {} : { next }
}

/** The pending `auth_token` of a registration in this browser, if any. */
function pendingAuthToken(): { auth_token?: string } {
  const handle = readStored('auth_token')
  return handle === null ? {} : { auth_token: handle }
}

type DeadLinkProps = { sentence: string; next: string | undefined }

/** Shown for a dead link: leads to the sign-in page, where another email can be requested. */
function DeadLink({ sentence, next }: DeadLinkProps) {
  // Another tab may have used the link a moment ago and signed in.
  const isSignedIn = useSignedInUser() !== null
  if (isSignedIn) return <SignedInAlready next={next} />
  return (
    <BarePage title="Confirm your email address" isAnswer>
      <Notice kind="danger" role="alert" title="Not confirmed">
        <p>{sentence}</p>
      </Notice>
      <p>
        If you’ve already confirmed the address, just sign in. If you haven’t, sign in and we can
        send you a new email from there.
      </p>
      <div>
        <LinkButton to="/sign-in" search={signInSearch(next)} size="large" className={submitClass}>
          Sign in
        </LinkButton>
      </div>
    </BarePage>
  )
}

function SignedInAlready({ next }: { next: string | undefined }) {
  const wanted = parseBookingPath(next)
  return (
    <BarePage title="You are signed in" isAnswer>
      <p>This link has already been used.</p>
      <div>
        {wanted === null ? (
          <LinkButton to="/home" size="large" className={submitClass}>
            Go to the homepage
          </LinkButton>
        ) : (
          <LinkButton
            to="/appointment/$doc_id"
            params={{ doc_id: wanted.providerId }}
            search={{
              ...wanted.choice,
              distance: wanted.distance ?? undefined,
              type: wanted.typeId,
              mode: wanted.mode,
            }}
            size="large"
            className={submitClass}
          >
            Continue with your booking
          </LinkButton>
        )}
      </div>
    </BarePage>
  )
}

function ReopenLink() {
  return (
    <BarePage title="Open the link in the email again">
      <p>
        For your security, the link isn’t kept in this page’s address and can’t be loaded again.
        Open it from the email again.
      </p>
      <div>
        <LinkButton to="/sign-in" variant="secondary">
          Sign in
        </LinkButton>
      </div>
    </BarePage>
  )
}
