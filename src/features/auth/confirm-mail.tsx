import { TextLink } from '#app/ui/text-link.tsx'
import { CheckMail } from './check-mail.tsx'

type ConfirmMailProps = {
  /** The pending handle of the registration. */
  handle: string
  /** Null when the page was opened again and nobody knows it any more. */
  email: string | null
  next: string
}

/** The first step of a provider's verification: the code of the mail, which signs in and leads on. */
export function ConfirmMail({ handle, email, next }: ConfirmMailProps) {
  return (
    <>
      <CheckMail registered={{ email, userType: 'provider', handle }} next={next} />
      <p className="border-t border-line pt-6">
        Have you followed the link in the mail?{' '}
        <TextLink to="/sign-in" search={{ as: 'provider', next }}>
          Sign in
        </TextLink>
      </p>
    </>
  )
}
