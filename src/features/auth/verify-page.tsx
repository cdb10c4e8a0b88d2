import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { useMeChanged } from '#app/parts/use-me.ts'
import { useApi } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextLink } from '#app/ui/text-link.tsx'
import { BarePage } from './auth-page.tsx'

/**
 * `/verify/{email_verify}`: programs that look through mails open every link in them, so that only
 * the button confirms.
 */
export function VerifyPage({ token }: { token: string | null }) {
  const api = useApi()
  const meChanged = useMeChanged()
  const verify = useMutation({
    mutationFn: (link: string) => api.auth.verifyEmail.mutate({ token: link }),
    onSuccess: meChanged,
  })
  if (token === null) return <LostLink />
  if (verify.data) {
    const { user_type: userType, email } = verify.data
    return (
      <BarePage title="Email address confirmed">
        <Notice kind="ok" role="status" title="Thank you">
          <p>
            <span className="break-all">{email}</span> is confirmed. You can sign in now.
          </p>
        </Notice>
        <div>
          <LinkButton to="/sign-in" search={userType === 'provider' ? { as: 'provider' } : {}}>
            Sign in
          </LinkButton>
        </div>
      </BarePage>
    )
  }
  return (
    <BarePage
      title="Confirm your email address"
      lead="Press the button to confirm that this address is yours."
    >
      {verify.error && (
        <Notice kind="danger" role="alert" title="Not confirmed">
          <p>{describeFailure(verify.error).sentence}</p>
          <p className="mt-2">
            If you have confirmed it before, simply <TextLink to="/sign-in">sign in</TextLink>: you
            can have a new mail sent from there.
          </p>
        </Notice>
      )}
      <div>
        <Button size="large" isBusy={verify.isPending} onClick={() => verify.mutate(token)}>
          Confirm my address
        </Button>
      </div>
    </BarePage>
  )
}

function LostLink() {
  return (
    <BarePage title="Open the link in the mail again">
      <p>
        For your safety the link is not kept in this page&apos;s address, so that it cannot be
        loaded again. Open it from the mail once more.
      </p>
      <div>
        <LinkButton to="/sign-in" variant="secondary">
          Sign in
        </LinkButton>
      </div>
    </BarePage>
  )
}
