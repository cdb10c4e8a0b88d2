import { parseBookingPath } from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { readStored } from '#app/lib/storage.ts'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { HeldForVisitor, useNextWithHold, useVisitorHold } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { BarePage, submitClass } from './auth-page.tsx'
import { useCompleteSignIn } from './complete-sign-in.ts'

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
