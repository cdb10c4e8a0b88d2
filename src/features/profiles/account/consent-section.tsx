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
          {agreed.length > 0
            ? `You’ve accepted necessary cookies, and ${agreed.join(' and ')}.`
            : 'You’ve accepted necessary cookies only.'}
        </p>
      </StateRow>
    </AccountSection>
  )
}
