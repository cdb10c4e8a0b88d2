import { FileCheck, FileText, FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { typeProblem, uploadFile, withRealType } from '#app/lib/files.ts'
import { FileField, PickedFile } from '#app/parts/file-field.tsx'
import { errorMessage } from '#contract/base/sentences.ts'
import {
  DOCUMENT_MAX_BYTES,
  DOCUMENT_PATH,
  DOCUMENT_TYPES,
  DocumentResponse,
} from '#contract/verification.ts'

type DocumentFieldProps = {
  id: string
  error: string | undefined
  onDocument: (id: string) => void
  /** A sentence that says what to send; a company's certificate if omitted. */
  what?: string
}

const COMPANY_HINT = 'One that shows the name and number, such as the certificate of incorporation.'

/** Drop a document or choose one; it is uploaded at once, with its progress shown. */
export function DocumentField({ id, error, onDocument, what = COMPANY_HINT }: DocumentFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { picked, pick, clear } = useDocumentUpload({ onDocument })
  const remove = () => {
    clear()
    if (input.current) {
      input.current.value = ''
      input.current.focus()
    }
  }
  const isDone = picked?.progress === null && picked.objection === null
  const Icon = isDone ? FileCheck : FileText
  return (
    <FileField
      id={id}
      label="Document"
      hint={`${what} PDF, JPEG, PNG, WebP or AVIF, 5 MB or smaller. Only our staff can open it.`}
      error={picked?.objection ?? error}
      accept={DOCUMENT_TYPES}
      input={input}
      noun="a document"
      icon={FileUp}
      isPicked={picked !== null}
      onPick={(file) => void pick(file)}
    >
      {picked && (
        <PickedFile
          {...picked}
          picture={<Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-brand" />}
          status={
            <span role="status">{isDone && <span className="text-ok">, uploaded</span>}</span>
          }
          onRemove={remove}
        />
      )}
    </FileField>
  )
}

type PickedDocument = {
  name: string
  /** Size in bytes. */
  size: number
  /** Upload progress from 0 to 1; null once uploaded or refused. */
  progress: number | null
  /** Why the document was refused; null if it was not. */
  objection: string | null
}

type Options = {
  /** Called with the document's id once uploaded; with an empty string once there is none. */
  onDocument: (id: string) => void
}

/** Uploads a document as soon as it is picked; picking another one replaces it. */
function useDocumentUpload({ onDocument }: Options) {
  const [picked, setPicked] = useState<PickedDocument | null>(null)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const clear = () => {
    leaving.current?.abort()
    setPicked(null)
    onDocument('')
  }

  const pick = async (given: File | undefined) => {
    if (given === undefined) return
    clear()
    const mine = new AbortController()
    leaving.current = mine
    const file = await withRealType(given)
    if (mine.signal.aborted) return
    const facts = { name: file.name, size: file.size }
    const objection = documentProblem(file)
    if (objection !== null) {
      setPicked({ ...facts, progress: null, objection })
      return
    }
    const show = (progress: number | null, why: string | null = null) => {
      if (!mine.signal.aborted) setPicked({ ...facts, progress, objection: why })
    }
    show(0)
    try {
      const upload = { path: DOCUMENT_PATH, file, onProgress: show, signal: mine.signal }
      const { document } = DocumentResponse.parse(await uploadFile(upload))
      show(null)
      if (!mine.signal.aborted) onDocument(document)
    } catch (error) {
      show(null, describeFailure(error).sentence)
    }
  }

  return { picked, pick, clear }
}

/** Client-side validation message for a file; null if it can be sent. */
function documentProblem(file: Pick<File, 'type' | 'size'>): string | null {
  const wrong = typeProblem(file.type, { accept: DOCUMENT_TYPES, wrongType: 'document_type' })
  if (wrong !== null) return wrong
  return file.size > DOCUMENT_MAX_BYTES ? errorMessage('document_too_large') : null
}
