import { keepPreviousData } from '@tanstack/react-query'
import { useCallback } from 'react'
import { RestRefusal, saveFile } from '#app/lib/files.ts'
import { signedInFetch } from '#app/lib/session.ts'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import type { ProviderId } from '#contract/base/ids.ts'
import { DOCUMENT_VIEW_PATH, type StaffCompany } from '#contract/verification-staff.ts'

/** Colleagues decide too, so the data is always fetched again. */
export const freshOptions = { staleTime: 0 }

/** A provider's position in the queue, for roles that verify. */
export function useQueue(providerId: ProviderId) {
  const isBarred = useStaffRefusal('verify') !== null
  return trpc.verification.queue.useQuery(
    { providerId },
    {
      enabled: !isBarred,
      staleTime: 0,
      // The bar stays while the next provider loads.
      placeholderData: keepPreviousData,
    },
  )
}

/** Refetches everything that a decision or a comparison changes; resolves when it has loaded. */
export function useInvalidateProvider(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(async () => {
    const { provider, providers, queue } = utils.verification
    await Promise.all([provider.invalidate(), providers.invalidate(), queue.invalidate()])
  }, [utils])
}

/** Fetches a company's document and saves it as a file: no page of ours opens it. */
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
