import { useEffect, useRef } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'

/**
 * `/unsubscribe/{token}`: the page behind a reminder's link. Email scanners open every link, so only the
 * button turns reminders off.
 */
export function UnsubscribePage({ token }: { token: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { mutate, isPending, isSuccess, error } = trpc.reminders.unsubscribe.useMutation()
  useEffect(() => {
    if (isSuccess) heading.current?.focus()
  }, [isSuccess])
  const title = isSuccess ? 'Reminders are off' : 'Turn off reminders?'
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold">
        {title}
      </h1>
      <p className="mt-2 text-lg text-muted">
        {isSuccess
          ? 'You won’t get reminders of your visits any more. We’ll still email you when a visit is booked, changed or cancelled.'
          : 'You won’t be reminded of your visits any more. We’ll still email you when a visit is booked, changed or cancelled.'}
      </p>
      <div className="mt-6 flex flex-col gap-6">
        {error && (
          <Notice kind="danger" role="alert" title="Reminders are still on">
            <p>
              {describeFailure(error).sentence} You can also turn reminders off in your account.
            </p>
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          {!isSuccess && (
            <Button size="large" isBusy={isPending} onClick={() => mutate({ token })}>
              Turn off reminders
            </Button>
          )}
          <LinkButton
            to="/userProfile"
            search={{ section: 'reminders' }}
            variant="secondary"
            size="large"
          >
            Manage in your account
          </LinkButton>
        </div>
      </div>
    </div>
  )
}
