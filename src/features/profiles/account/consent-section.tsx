import { openCookieBanner, useConsentId } from '#app/lib/consent.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { AccountSection, StateRow } from './account-section.tsx'

/** What the person has agreed to have kept, and the way to change it. */
export function ConsentSection() {
  const id = useConsentId()
  const { data } = trpc.profiles.consent.useQuery({ consentID: id ?? '' }, { enabled: id !== null })
  const agreed = data
    ? [data.preferences && 'preferences', data.statistics && 'statistics'].filter(Boolean)
    : []
  return (
    <AccountSection id="consent" title="Cookies">
      <StateRow
        action={
          <Button variant="secondary" onClick={openCookieBanner}>
            Change
            <span className="sr-only"> cookie settings</span>
          </Button>
        }
      >
        <p>
          You have agreed to what is necessary
          {agreed.length > 0 ? `, and to ${agreed.join(' and ')}` : ' and to nothing else'}.
        </p>
      </StateRow>
    </AccountSection>
  )
}
