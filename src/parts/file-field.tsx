import { CircleAlert, type LucideIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Button } from '#app/ui/button.tsx'
import { numberFormat } from '#contract/base/intl.ts'

type FileFieldProps = Omit<DropBoxProps, 'isWrong'> & {
  label: string
  hint: string
  /** Why the picked file cannot be sent, or that one is missing. */
  error: string | null | undefined
  /** Media types on offer. */
  accept: readonly string[]
  input: RefObject<HTMLInputElement | null>
  /** Id of the text that says why nothing can be picked. */
  reasonId?: string | undefined
  /** The picked file, if there is one. */
  children: ReactNode
}

/** Drop a file or choose one. */
export function FileField(props: FileFieldProps) {
  const { id, label, hint, error, accept, input, isOff = false, reasonId, children, onPick } = props
  const about = [error && `${id}-error`, `${id}-hint`, reasonId].filter(Boolean)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {error && (
        <p
          id={`${id}-error`}
          role="alert"
          className="flex items-start gap-1.5 text-sm font-medium text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {/* The browser's own file button, which cannot be styled to match, is behind the box. */}
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept.join(',')}
        disabled={isOff}
        aria-invalid={error ? true : undefined}
        aria-describedby={about.join(' ')}
        onChange={({ target }) => onPick(target.files?.[0])}
        className="peer sr-only"
      />
      {children}
      <DropBox {...props} isOff={isOff} isWrong={!!error} />
    </div>
  )
}

type DropBoxProps = {
  id: string
  /** "an image" */
  noun: string
  icon: LucideIcon
  /** A file is picked. */
  isPicked: boolean
  /** Nothing can be picked now. */
  isOff?: boolean
  isWrong: boolean
  onPick: (file: File | undefined) => void
}

function DropBox({ id, noun, icon: Icon, isPicked, isOff, isWrong, onPick }: DropBoxProps) {
  const [isOver, setIsOver] = useState(false)
  return (
    // Dropping is for the mouse; the field itself is for everybody.
    <label
      htmlFor={id}
      aria-hidden="true"
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(!isOff)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        if (!isOff) onPick(event.dataTransfer.files[0])
      }}
      className={cx(
        'flex flex-wrap items-center justify-center gap-x-3 gap-y-1 rounded-field border border-dashed px-4 text-center transition-colors duration-150',
        'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand',
        isPicked ? 'min-h-11 py-2' : 'min-h-28 py-5',
        isOff
          ? 'cursor-not-allowed border-line bg-sunken text-muted'
          : isOver
            ? 'border-brand bg-tint'
            : isWrong
              ? 'border-danger bg-surface hover:bg-tint'
              : 'border-field bg-surface hover:border-brand hover:bg-tint',
      )}
    >
      <Icon aria-hidden="true" className={cx('size-6', isOff ? 'text-muted' : 'text-brand')} />
      <span>
        <span className={cx('font-semibold', !isOff && 'text-brand-deep')}>
          {isPicked ? 'Choose another' : `Choose ${noun}`}
        </span>
        <span className="text-muted max-sm:hidden"> or drop it here</span>
      </span>
    </label>
  )
}

type PickedFileProps = {
  name: string
  /** Size in bytes. */
  size: number
  /** Upload progress from 0 to 1; null when not uploading. */
  progress: number | null
  picture: ReactNode
  /** Follows the size. */
  status?: ReactNode
  onRemove: () => void
}

/** The picked file above the box, with its progress and the button that removes it. */
export function PickedFile(props: PickedFileProps) {
  const { name, size, progress, picture, status, onRemove } = props
  const removal = progress === null ? 'Remove' : 'Cancel'
  return (
    <div className="flex items-start gap-3 rounded-field border border-line bg-surface p-3">
      {picture}
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="tabular text-sm text-muted">
          {sizeText(size)}
          {status}
        </p>
        {progress !== null && <Progress name={name} part={progress} />}
      </div>
      <Button variant="quiet" onClick={onRemove} aria-label={`${removal} ${name}`}>
        {removal}
      </Button>
    </div>
  )
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

/** "0.4 MB", or "12 kB" for small files. */
export function sizeText(bytes: number): string {
  const digits = { maximumFractionDigits: 1 }
  if (bytes < 100_000) return `${numberFormat('en-GB').format(Math.ceil(bytes / 1_000))} kB`
  return `${numberFormat('en-GB', digits).format(bytes / 1_000_000)} MB`
}
