import { describeFailure } from '#app/lib/errors.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import type { UserType } from '#contract/auth.ts'
import { isOwnPath } from '#contract/base/next-path.ts'

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
