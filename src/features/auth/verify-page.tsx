import { describeFailure } from '#app/lib/errors.ts'
import { useMeChanged } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { BarePage, sendClass } from './auth-page.tsx'

/** Answers after which the same link can only be refused again. */
const DEAD = new Set<string>(['verify_link_invalid', 'invalid_input'])

/**
 * `/verify/{email_verify}`: programs that look through mails open every link in them, so that only
 * the button confirms.
 */
export function VerifyPage({ token }: { token: string | null }) {
  const meChanged = useMeChanged()
  const verify = trpc.auth.verifyEmail.useMutation({ onSuccess: meChanged })
  if (token === null) return <LostLink />
  if (verify.data) {
    const { user_type: userType, email } = verify.data
    return (
      <BarePage title="Email address confirmed" isAnswer>
        <Notice kind="ok" role="status" title="Thank you">
          <p>
            <span className="wrap-anywhere">{email}</span> is confirmed. You can sign in now.
          </p>
        </Notice>
        <div>
          <LinkButton
            to="/sign-in"
            search={userType === 'provider' ? { as: 'provider', next: '/provider-verify' } : {}}
            size="large"
            className={sendClass}
          >
            Sign in
          </LinkButton>
        </div>
      </BarePage>
    )
  }
  const failure = verify.error && describeFailure(verify.error)
  if (failure && DEAD.has(failure.code)) return <DeadLink sentence={failure.sentence} />
  return (
    <BarePage
      title="Confirm your email address"
      lead="Press the button to confirm that this address is yours."
    >
      {failure && (
        <Notice kind="danger" role="alert" title="Not confirmed">
          <p>{failure.sentence}</p>
        </Notice>
      )}
      <div>
        <Button
          size="large"
          isBusy={verify.isPending}
          onClick={() => verify.mutate({ token })}
          className={sendClass}
        >
          Confirm my address
        </Button>
      </div>
    </BarePage>
  )
}

/** Nothing to press here: the ways on are the sign-in page and, from there, another mail. */
function DeadLink({ sentence }: { sentence: string }) {
  return (
    <BarePage title="Confirm your email address" isAnswer>
      <Notice kind="danger" role="alert" title="Not confirmed">
        <p>{sentence}</p>
      </Notice>
      <p>
        If you have confirmed the address before, simply sign in. If not, sign in as well: you can
        have a new mail sent from there.
      </p>
      <div>
        <LinkButton to="/sign-in" size="large" className={sendClass}>
          Sign in
        </LinkButton>
      </div>
    </BarePage>
  )
}

function LostLink() {
  return (
    <BarePage title="Open the link in the mail again">
      <p>
        For your safety the link is not kept in this page&apos;s address, so that it cannot be
        loaded again. Open it from the email again.
      </p>
      <div>
        <LinkButton to="/sign-in" variant="secondary">
          Sign in
        </LinkButton>
      </div>
    </BarePage>
  )
}
