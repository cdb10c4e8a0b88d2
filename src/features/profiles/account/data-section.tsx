import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { saveFile } from '#app/lib/files.ts'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { AccountSection, FailureNotice, StateRow } from './account-section.tsx'

/** Everything held about the person, as a file of their own. */
export function DataSection() {
  const { client } = trpc.useUtils()
  const prove = useProving()
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

/** The patient's visits; the list comes from another room. */
export function VisitsSection({ children }: { children: ReactNode }) {
  return (
    <AccountSection id="visits" title="Visits">
      {children}
    </AccountSection>
  )
}
