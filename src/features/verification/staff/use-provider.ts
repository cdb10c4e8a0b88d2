import { keepPreviousData } from '@tanstack/react-query'
import { useCallback } from 'react'
import { saveFile } from '#app/lib/files.ts'
import { RestRefusal } from '#app/lib/rest-refusal.ts'
import { signedInFetch } from '#app/lib/signed-in-fetch.ts'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { trpc } from '#app/trpc.ts'
import type { ProviderId } from '#contract/ids.ts'
import { DOCUMENT_VIEW_PATH, type StaffCompany } from '#contract/verification-staff.ts'

/** Colleagues decide as well: what is shown is what is. */
export const freshly = { staleTime: 0 }

/** Where a provider is in the queue, for those who work through it. */
export function useQueue(providerId: ProviderId) {
  const isBarred = useWhyNot('verify') !== null
  return trpc.verification.queue.useQuery(
    { providerId },
    {
      enabled: !isBarred,
      staleTime: 0,
      // From one to the next the bar stays where it is.
      placeholderData: keepPreviousData,
    },
  )
}

/** Fetches everything again that a decision or a comparison changes; done when it is there. */
export function useProviderChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(async () => {
    const { provider, providers, queue } = utils.verification
    await Promise.all([provider.invalidate(), providers.invalidate(), queue.invalidate()])
  }, [utils])
}

/** Fetches the document of a company and hands it over as a file: it is opened by no page of ours. */
export async function downloadDocument({
  documentId,
  document,
}: Pick<StaffCompany, 'documentId' | 'document'>): Promise<void> {
  const response = await signedInFetch(`${DOCUMENT_VIEW_PATH}/${documentId}`)
  if (!response.ok) throw new RestRefusal(await response.json().catch(() => null))
  const isPdf = document.kind === 'pdf'
  const type = isPdf ? 'application/pdf' : 'image/webp'
  saveFile(`company-document.${isPdf ? 'pdf' : 'webp'}`, await response.blob(), type)
}
