import type { ReactNode } from 'react'
import { formatFullDate } from '#app/lib/format-full-date.ts'
import { languageName } from '#app/lib/language-name.ts'
import { Card } from '#app/ui/card.tsx'
import type { StaffProvider } from '#contract/verification-staff.ts'
import { regionWords } from './staff-words.ts'

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="py-2.5">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** What the provider told us about themselves, for whoever writes to them or wonders. */
export function ToldPart({ provider }: { provider: StaffProvider }) {
  const { practice, evidence, region, qualifications, languages } = provider
  const where = [practice.name, practice.address, provider.locality, practice.postcode]
  return (
    <Card>
      <section aria-labelledby="told">
        <h2 id="told" className="mb-1 text-xl font-semibold">
          Profile
        </h2>
        <dl className="divide-y divide-line">
          {evidence && <Fact label="Email">{evidence.email}</Fact>}
          {evidence?.phone && (
            <Fact label="Phone">
              <span className="tabular">{evidence.phone}</span>
            </Fact>
          )}
          <Fact label="Region">{regionWords[region]}</Fact>
          <Fact label="Practice">
            <span className="whitespace-pre-line">{where.filter(Boolean).join('\n')}</span>
          </Fact>
          <Fact label="Qualifications">
            <span className="whitespace-pre-line">{qualifications.join('\n')}</span>
          </Fact>
          <Fact label="Languages">{languages.map(languageName).join(', ')}</Fact>
          <Fact label="Registered here">{formatFullDate(provider.registeredOn, 'uk')}</Fact>
        </dl>
      </section>
    </Card>
  )
}
