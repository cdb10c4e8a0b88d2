import { sendFile } from '#app/lib/send-file.ts'
import { sentenceFor } from '#contract/sentences.ts'
import {
  DOCUMENT_MAX,
  DOCUMENT_PATH,
  DOCUMENT_TYPES,
  DocumentAnswer,
} from '#contract/verification.ts'

/** What is wrong with a file before it is sent, in words; null when it may be tried. */
export function whyNotDocument(file: Pick<File, 'type' | 'size'>): string | null {
  if (!DOCUMENT_TYPES.some((type) => type === file.type)) return sentenceFor('document_type')
  return file.size > DOCUMENT_MAX ? sentenceFor('document_too_large') : null
}

type Upload = {
  file: File
  /** Hears how much has left, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Sends a document as it stands and answers what it is kept as. */
export async function uploadDocument(upload: Upload): Promise<DocumentAnswer> {
  return DocumentAnswer.parse(await sendFile({ path: DOCUMENT_PATH, ...upload }))
}
