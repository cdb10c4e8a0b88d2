import { type ReactNode, useEffect, useRef } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'

type Words = { title: string; text: string }

type LinkQuestionProps = {
  asks: Words
  done: Words
  /** Label of the button. */
  act: string
  /** Title of a failure, and what else can be done then. */
  failed: { title: string; hint?: string }
  doing: { isPending: boolean; isSuccess: boolean; error: unknown; start: () => void }
  /** What leads elsewhere. */
  children: ReactNode
}

/** A page behind a link in an email. Email scanners open every link, so only its button does anything. */
export function LinkQuestion({ asks, done, act, failed, doing, children }: LinkQuestionProps) {
  const { isPending, isSuccess, error, start } = doing
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isSuccess) heading.current?.focus()
  }, [isSuccess])
  const { title, text } = isSuccess ? done : asks
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold">
        {title}
      </h1>
      <p className="mt-2 text-lg text-muted">{text}</p>
      <div className="mt-6 flex flex-col gap-6">
        {Boolean(error) && (
          <Notice kind="danger" role="alert" title={failed.title}>
            <p>
              {describeFailure(error).sentence} {failed.hint}
            </p>
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          {!isSuccess && (
            <Button size="large" isBusy={isPending} onClick={start}>
              {act}
            </Button>
          )}
          {children}
        </div>
      </div>
    </div>
  )
}
