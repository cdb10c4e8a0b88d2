import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** Takes the place of the form once the message is on its way, and takes focus. */
export function MessageSent({ reference, to }: { reference: string; to: string }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div
      ref={panel}
      role="status"
      tabIndex={-1}
      className="max-w-form rounded-card border border-ok bg-tint p-6 sm:p-8"
    >
      <CircleCheck aria-hidden="true" className="size-8 text-ok" />
      <h2 className="mt-3 text-xl font-semibold">Message sent</h2>
      <p className="mt-2">
        Your message to {to} is on its way. The answer comes to the email address you gave.
      </p>
      <p className="mt-4 text-sm text-muted">
        Reference: <span className="tabular break-all text-ink select-all">{reference}</span>
      </p>
    </div>
  )
}
