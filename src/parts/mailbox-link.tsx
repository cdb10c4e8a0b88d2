import { useSiteConfig } from '#app/lib/site-config.ts'
import { textLinkClass } from '#app/ui/button.tsx'

/** In a demo no email leaves the machine: this links to the mailbox where it can be read. */
export function MailboxLink({ email }: { email: string }) {
  if (!useSiteConfig().demo) return null
  return (
    <a
      href={`/demo/mailbox?to=${encodeURIComponent(email.trim().toLowerCase())}`}
      target="_blank"
      rel="noopener"
      className={textLinkClass}
    >
      Open the demo mailbox<span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
