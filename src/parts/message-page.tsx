import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Container } from '#app/ui/page.tsx'

type MessagePageProps = {
  icon: LucideIcon
  /** `accent` for pages that report a failure. */
  tone?: 'brand' | 'accent'
  title: string
  lead?: ReactNode
  children?: ReactNode
  /** Where to go next; there always is somewhere. */
  actions?: ReactNode
  /** It replaces what somebody was in the middle of: the title takes focus, which also has it read out. */
  isInterruption?: boolean
}

/** A centred page with one message: icon, text, and where to go next. */
export function MessagePage({
  icon: Icon,
  tone = 'brand',
  title,
  lead,
  children,
  actions,
  isInterruption = false,
}: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isInterruption) heading.current?.focus()
  }, [isInterruption])
  return (
    <Container className="flex flex-1 flex-col justify-center py-10 sm:py-16">
      <div className="mx-auto w-full max-w-140">
        <div className="text-center">
          <span
            className={
              tone === 'accent'
                ? 'mx-auto flex size-16 items-center justify-center rounded-full bg-accent-tint text-accent'
                : 'mx-auto flex size-16 items-center justify-center rounded-full bg-tint text-brand-deep'
            }
          >
            <Icon aria-hidden="true" className="stroke-[1.5] size-8" />
          </span>
          <h1 ref={heading} tabIndex={-1} className="mt-5 text-2xl font-semibold sm:text-3xl">
            {title}
          </h1>
          {lead && <div className="mt-3 text-lg text-pretty text-muted">{lead}</div>}
        </div>
        {children && <div className="mt-8 flex flex-col gap-8">{children}</div>}
        {actions && <div className="mt-8 flex flex-wrap justify-center gap-3">{actions}</div>}
      </div>
    </Container>
  )
}
