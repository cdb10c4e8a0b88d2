import { useEffect, useRef } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'

/**
 * `/not-me/{token}`: the page behind "This isn’t me" in an email about a phone or walk-in visit. Email scanners open
 * every link, so only the button stops the emails.
 */
export function StopMailPage({ token }: { token: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { mutate, isPending, isSuccess, error } = trpc.messages.stop.useMutation()
  useEffect(() => {
    if (isSuccess) heading.current?.focus()
  }, [isSuccess])
  const title = isSuccess ? 'You won’t get these emails any more' : 'Isn’t this you?'
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold">
        {title}
      </h1>
      <p className="mt-2 text-lg text-muted">
        {isSuccess
          ? 'No practice on Apposite can email this address about phone or walk-in visits. You don’t have to do anything else.'
          : 'A practice gave us your email address for a visit you don’t know about. If it isn’t yours, stop these emails: no practice on Apposite can then email this address about phone or walk-in visits, ever. The visit itself stays in the practice’s calendar.'}
      </p>
      <div className="mt-6 flex flex-col gap-6">
        {error && (
          <Notice kind="danger" role="alert" title="The emails aren’t stopped yet">
            <p>{describeFailure(error).sentence}</p>
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          {!isSuccess && (
            <Button size="large" isBusy={isPending} onClick={() => mutate({ token })}>
              Stop these emails
            </Button>
          )}
          <LinkButton to="/contact-us" variant="secondary" size="large">
            Write to us
          </LinkButton>
        </div>
      </div>
    </div>
  )
}
