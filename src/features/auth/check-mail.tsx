import { Notice } from '#app/ui/notice.tsx'
import { EmailCodeForm } from './email-code-form.tsx'
import type { Registered } from './register-page.tsx'
import { ResendNotice } from './resend-notice.tsx'

type CheckMailProps = {
  /** `email` is null where nobody remembers it: the page was opened again. */
  registered: Omit<Registered, 'email'> & { email: string | null }
  next: string | undefined
}

/** After registering: the account waits for the link in the mail, or for the provider's code. */
export function CheckMail({ registered, next }: CheckMailProps) {
  const { email, userType, handle } = registered
  return (
    <>
      <Notice kind="ok" role="status" title="We have sent you a mail">
        <p>
          It is on its way
          {email === null ? '' : ' to '}
          {email !== null && <strong className="wrap-anywhere">{email}</strong>}.{' '}
          {userType === 'provider'
            ? 'It has a code, good for 10 minutes, and a link, good for 24 hours: use either of them to confirm that the address is yours.'
            : 'Open the link in it to confirm that the address is yours. It works for 24 hours.'}
        </p>
      </Notice>
      {userType === 'provider' && <EmailCodeForm handle={handle} next={next} />}
      <section aria-labelledby="no-mail">
        <h2 id="no-mail" className="text-xl font-semibold">
          No mail?
        </h2>
        <p className="mt-2 mb-4 text-muted">
          It can take a few minutes. Look in the folder for junk mail as well.
        </p>
        {email === null ? (
          <p>
            Sign in with your email address and password: you can have a new mail sent from there.
          </p>
        ) : (
          <ResendNotice email={email} userType={userType} />
        )}
      </section>
    </>
  )
}
