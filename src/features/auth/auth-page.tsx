import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

type AuthPageProps = {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** A narrower column, for a form with few fields. */
  isNarrow?: boolean
  /** Replaces a form: the heading takes the focus that was in the form. */
  isAnswer?: boolean
}

type HeadingProps = { title: string; isAnswer: boolean; className: string }

/** Submit buttons of these pages: full width on phones, within reach of the thumb. */
export const submitClass = 'max-sm:w-full'

/** A card from 480 pixels; on phones, no border or background. */
const cardClass =
  'flex flex-col gap-8 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8'

function Heading({ title, isAnswer, className }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAnswer) heading.current?.focus()
  }, [isAnswer])
  return (
    <h1 ref={heading} tabIndex={-1} className={cx('font-semibold', className)}>
      {title}
    </h1>
  )
}

/** One narrow column with one thing to do: signing in, registering, a new password. */
export function AuthPage(props: AuthPageProps) {
  const { title, lead, children, isNarrow = false, isAnswer = false } = props
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title={title} />
      <div className={cx('mx-auto', isNarrow ? 'max-w-120' : 'max-w-160')}>
        <Heading title={title} isAnswer={isAnswer} className="text-3xl" />
        {lead && <p className="mt-2 text-lg text-muted">{lead}</p>}
        <div className={cx(cardClass, 'mt-6 sm:mt-8')}>{children}</div>
      </div>
    </Container>
  )
}

/** The same column without header and footer, inside the bare layout. */
export function BarePage({ title, lead, children, isAnswer = false }: AuthPageProps) {
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title={title} />
      <Heading title={title} isAnswer={isAnswer} className="text-2xl" />
      {lead && <p className="mt-2 text-lg text-muted">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </div>
  )
}
