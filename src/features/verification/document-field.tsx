import { CircleAlert, FileCheck, FileText, FileUp } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { uploadFile } from '#app/lib/files.ts'
import { Button } from '#app/ui/button.tsx'
import { numberFormat } from '#contract/intl.ts'
import { errorMessage } from '#contract/sentences.ts'
import {
  DOCUMENT_MAX_BYTES,
  DOCUMENT_PATH,
  DOCUMENT_TYPES,
  DocumentResponse,
} from '#contract/verification.ts'

/** "0.4 MB", or "12 kB" for small files. */
export function sizeText(bytes: number): string {
  const digits = { maximumFractionDigits: 1 }
  if (bytes < 100_000) return `${numberFormat('en-GB').format(Math.ceil(bytes / 1_000))} kB`
  return `${numberFormat('en-GB', digits).format(bytes / 1_000_000)} MB`
}

function Progress({ name, part }: { name: string; part: number }) {
  const percent = Math.round(part * 100)
  return (
    <div className="mt-2 flex items-center gap-3">
      <progress
        aria-label={`Uploading ${name}`}
        value={percent}
        max={100}
        className="h-2 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[width]"
      />
      <span className="tabular w-11 text-right text-sm text-muted">{percent} %</span>
    </div>
  )
}

type ChipProps = { picked: PickedDocument; onRemove: () => void }

/** The picked document: uploading, uploaded, or refused. */
function Chip({ picked, onRemove }: ChipProps) {
  const { name, size, progress, objection } = picked
  const Icon = progress === null && objection === null ? FileCheck : FileText
  return (
    <div className="flex items-start gap-3 rounded-field border border-line bg-surface p-3">
      <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-brand" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="tabular text-sm text-muted">
          {sizeText(size)}
          <span role="status">
            {progress === null && objection === null && <span className="text-ok">, uploaded</span>}
          </span>
        </p>
        {progress !== null && <Progress name={name} part={progress} />}
      </div>
      <Button variant="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
        {progress === null ? 'Remove' : 'Cancel'}
      </Button>
    </div>
  )
}

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
  const [isOver, setIsOver] = useState(false)
  const wrong = picked?.objection ?? error
  const remove = () => {
    clear()
    if (input.current) {
      input.current.value = ''
      input.current.focus()
    }
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void pick(event.dataTransfer.files[0])
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Document
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {what} PDF, JPEG, PNG or WebP, 5 MB or smaller. Only our staff can open it.
      </p>
      {wrong && (
        <p
          id={`${id}-error`}
          role="alert"
          className="flex items-start gap-1.5 text-sm font-medium text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {wrong}
        </p>
      )}
      {/* The browser's own file button, which cannot be styled to match, is behind the box. */}
      <input
        ref={input}
        id={id}
        type="file"
        accept={DOCUMENT_TYPES.join(',')}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${id}-error ${id}-hint` : `${id}-hint`}
        onChange={({ target }) => void pick(target.files?.[0])}
        className="peer sr-only"
      />
      {picked && <Chip picked={picked} onRemove={remove} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is for the mouse; the field itself is for everybody */}
      <label
        htmlFor={id}
        aria-hidden="true"
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        className={cx(
          'flex flex-wrap items-center justify-center gap-x-3 gap-y-1 rounded-field border border-dashed px-4 text-center transition-colors duration-150',
          'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand',
          picked ? 'min-h-11 py-2' : 'min-h-28 py-5',
          isOver && 'border-brand bg-tint',
          !isOver && wrong && 'border-danger bg-surface hover:bg-tint',
          !isOver && !wrong && 'border-field bg-surface hover:border-brand hover:bg-tint',
        )}
      >
        <FileUp aria-hidden="true" className="size-6 text-brand" />
        <span>
          <span className="font-semibold text-brand-deep">
            {picked ? 'Choose another' : 'Choose a document'}
          </span>
          <span className="text-muted max-sm:hidden"> or drop it here</span>
        </span>
      </label>
    </div>
  )
}

export type PickedDocument = {
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

  const pick = async (file: File | undefined) => {
    if (file === undefined) return
    clear()
    const facts = { name: file.name, size: file.size }
    const objection = documentProblem(file)
    if (objection !== null) {
      setPicked({ ...facts, progress: null, objection })
      return
    }
    const mine = new AbortController()
    leaving.current = mine
    const show = (progress: number | null, why: string | null = null) => {
      if (!mine.signal.aborted) setPicked({ ...facts, progress, objection: why })
    }
    show(0)
    try {
      const { document } = await uploadDocument({ file, onProgress: show, signal: mine.signal })
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
  if (!DOCUMENT_TYPES.some((type) => type === file.type)) return errorMessage('document_type')
  return file.size > DOCUMENT_MAX_BYTES ? errorMessage('document_too_large') : null
}

type Upload = {
  file: File
  /** Called with the uploaded fraction, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Uploads a document unchanged and returns its record on the server. */
async function uploadDocument(upload: Upload): Promise<DocumentResponse> {
  return DocumentResponse.parse(await uploadFile({ path: DOCUMENT_PATH, ...upload }))
}
