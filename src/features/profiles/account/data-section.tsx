import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { openCookieBanner, useConsentId } from '#app/lib/consent.ts'
import { saveFile } from '#app/lib/files.ts'
import { useStepUp } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { AccountSection, FailureNotice, StateRow } from './account-section.tsx'

/** The person's consent choices, and the way to change them. */
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

/** Download of all data held about the person. */
export function DataSection() {
  const { client } = trpc.useUtils()
  const prove = useStepUp()
  const download = useMutation({
    mutationFn: () => prove(() => client.profiles.exportData.mutate()),
    onSuccess: (data) => {
      const day = data.made_at.slice(0, 10)
      saveFile(`apposite-data-${day}.json`, JSON.stringify(data, null, 2), 'application/json')
    },
  })
  return (
    <AccountSection
      id="data"
      title="Your data"
      lead="A file with everything we hold about you, in a form that other programs can read."
    >
      <div className="flex flex-col gap-4">
        <FailureNotice error={download.error} title="We couldn’t create the file" />
        <StateRow
          action={
            <Button
              variant="secondary"
              isBusy={download.isPending}
              onClick={() => download.mutate()}
            >
              {download.isPending ? 'Collecting' : 'Download your data'}
            </Button>
          }
        >
          <p role="status">
            {download.isSuccess ? 'Your download has started.' : 'One JSON file.'}
          </p>
        </StateRow>
      </div>
    </AccountSection>
  )
}

/** The patient's visits; the list is rendered by another feature. */
export function VisitsSection({ children }: { children: ReactNode }) {
  return (
    <AccountSection id="visits" title="Visits">
      {children}
    </AccountSection>
  )
}
