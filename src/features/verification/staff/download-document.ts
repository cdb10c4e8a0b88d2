import { RestRefusal } from '#app/lib/rest-refusal.ts'
import { saveFile } from '#app/lib/save-file.ts'
import { signedInFetch } from '#app/lib/signed-in-fetch.ts'
import { DOCUMENT_VIEW_PATH, type StaffCompany } from '#contract/verification-staff.ts'

/** Fetches the document of a company and hands it over as a file: it is opened by no page of ours. */
export async function downloadDocument({ documentId, document }: StaffCompany): Promise<void> {
  const response = await signedInFetch(`${DOCUMENT_VIEW_PATH}/${documentId}`)
  if (!response.ok) throw new RestRefusal(await response.json().catch(() => null))
  const isPdf = document.kind === 'pdf'
  const type = isPdf ? 'application/pdf' : 'image/webp'
  saveFile(`company-document.${isPdf ? 'pdf' : 'webp'}`, await response.blob(), type)
}
