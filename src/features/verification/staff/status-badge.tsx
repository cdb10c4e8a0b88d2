import { BadgeCheck } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import type { VerificationStatus } from '#contract/people.ts'

/** The documented status of a provider: Verified or Unverified. */
export function StatusBadge({ status }: { status: VerificationStatus }) {
  const isVerified = status === 'Verified'
  return (
    <Badge tone={isVerified ? 'ok' : 'plain'}>
      {isVerified && <BadgeCheck aria-hidden="true" strokeWidth={2} className="size-4" />}
      {status}
    </Badge>
  )
}
