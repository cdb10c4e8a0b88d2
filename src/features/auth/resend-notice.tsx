import { describeFailure } from '#app/lib/errors.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import type { UserType } from '#contract/auth.ts'

type ResendNoticeProps = { email: string; userType: UserType }

/** The mail that confirms an address can be asked for again: where, and whether it was. */
export function ResendNotice({ email, userType }: ResendNoticeProps) {
  const resend = trpc.auth.resendVerification.useMutation()
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          variant="secondary"
          isBusy={resend.isPending}
          onClick={() => resend.mutate({ email, user_type: userType })}
        >
          Send the mail again
        </Button>
        <MailboxLink email={email} />
      </div>
      <p role="status" className="font-medium">
        {resend.isSuccess && 'If the address is waiting to be confirmed, a new mail is on its way.'}
        {resend.error && describeFailure(resend.error).sentence}
      </p>
    </div>
  )
}
