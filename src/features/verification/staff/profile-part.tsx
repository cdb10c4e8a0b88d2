import { BadgeCheck, CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatFullDate } from '#app/lib/format/dates.ts'
import { languageName } from '#app/lib/format/words.ts'
import { CardFact } from '#app/ui/data-table.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import type { VerificationStatus } from '#contract/base/people.ts'
import type { StaffProvider } from '#contract/verification-staff.ts'
import { regionLabels, type Tone } from './staff-text.ts'

/** An email address that wraps before the @ if it has to. */
export function Email({ address }: { address: string | null }) {
  const [name = '', ...rest] = (address ?? '').split('@')
  if (rest.length === 0) return <>{name}</>
  return (
    <>
      {name}
      <wbr />@{rest.join('@')}
    </>
  )
}

/** What providers have told us about themselves, for staff who contact or check them. */
export function ProfilePart({ provider }: { provider: StaffProvider }) {
  const { practice, evidence, region, qualifications, languages } = provider
  const town = [provider.locality, practice.postcode].filter(Boolean).join(' ')
  const where = [practice.name, practice.address, town]
  return (
    <Card>
      <section aria-labelledby="told">
        <h2 id="told" className="mb-1 text-xl font-semibold">
          Profile
        </h2>
        <dl className="divide-y divide-line *:py-2.5 [&_dd]:wrap-anywhere">
          {evidence && (
            <CardFact name="Email">
              <Email address={evidence.email} />
            </CardFact>
          )}
          {evidence?.phone && (
            <CardFact name="Phone">
              <span className="tabular">{evidence.phone}</span>
            </CardFact>
          )}
          <CardFact name="Region">{regionLabels[region]}</CardFact>
          <CardFact name="Practice">
            <span className="whitespace-pre-line">{where.filter(Boolean).join('\n')}</span>
          </CardFact>
          <CardFact name="Qualifications">
            <span className="whitespace-pre-line">{qualifications.join('\n')}</span>
          </CardFact>
          <CardFact name="Languages">{languages.map(languageName).join(', ')}</CardFact>
          <CardFact name="Registered here">{formatFullDate(provider.registeredOn, 'uk')}</CardFact>
        </dl>
      </section>
    </Card>
  )
}

/** The documented status of a provider: Verified or Unverified. */
export function StatusBadge({ status }: { status: VerificationStatus }) {
  const isVerified = status === 'Verified'
  return (
    <Badge tone={isVerified ? 'ok' : 'plain'}>
      {isVerified && <BadgeCheck aria-hidden="true" className="stroke-[2] size-4" />}
      {status}
    </Badge>
  )
}

const tones = {
  ok: { icon: CircleCheck, color: 'text-ok' },
  warn: { icon: TriangleAlert, color: 'text-warn' },
  danger: { icon: CircleAlert, color: 'text-danger' },
  muted: { icon: CircleDashed, color: 'text-muted' },
} satisfies Record<Tone, unknown>

/** A few words with an icon for their tone. */
export function ToneText({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { icon: Icon, color } = tones[tone]
  return (
    <span className={cx('inline-flex items-start gap-1.5 text-sm', color)}>
      <Icon aria-hidden="true" className="stroke-[2] mt-0.75 size-4 shrink-0" />
      {children}
    </span>
  )
}
