import { CircleAlert, ImageUp } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Button } from '#app/ui/button.tsx'
import { IMAGE_TYPES } from '#contract/gallery-staff.ts'
import { numberFormat } from '#contract/intl.ts'
import type { PickedImage } from './use-upload.ts'

/** "0.4 MB", or "12 kB" for what is small. */
function sizeText(bytes: number): string {
  const digits = { maximumFractionDigits: 1 }
  if (bytes < 100_000) return `${numberFormat('en-GB').format(Math.ceil(bytes / 1_000))} kB`
  return `${numberFormat('en-GB', digits).format(bytes / 1_000_000)} MB`
}

type ImageFieldProps = {
  id: string
  label: string
  picked: PickedImage | null
  onPick: (file: File | undefined) => void
  onClear: () => void
  /** Upload progress from 0 to 1; null when not uploading. */
  progress: number | null
  isDisabled: boolean
  reasonId: string | undefined
  input: RefObject<HTMLInputElement | null>
}

/** Field to drop or choose an image, which is previewed and checked before uploading. */
export function ImageField(props: ImageFieldProps) {
  const { id, label, picked, onPick, onClear, progress, isDisabled, reasonId, input } = props
  const wrong = picked?.objection
  const isBusy = progress !== null
  const about = [wrong && `${id}-error`, `${id}-hint`, isDisabled && reasonId].filter(Boolean)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        JPEG, PNG or WebP, up to 5 MB and 25 megapixels.
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
      {/* The native file input, hidden because it cannot be styled to match. */}
      <input
        ref={input}
        id={id}
        type="file"
        accept={IMAGE_TYPES.join(',')}
        disabled={isDisabled || isBusy}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={about.join(' ')}
        onChange={({ target }) => {
          onPick(target.files?.[0])
          // Allows choosing the same file again after it was removed.
          target.value = ''
        }}
        className="peer sr-only"
      />
      {picked && <PickedFile picked={picked} progress={progress} onClear={onClear} />}
      <DropBox id={id} isOff={isDisabled || isBusy} isSmall={picked !== null} onPick={onPick} />
    </div>
  )
}

type DropBoxProps = {
  id: string
  isOff: boolean
  isSmall: boolean
  onPick: (file: File | undefined) => void
}

function DropBox({ id, isOff, isSmall, onPick }: DropBoxProps) {
  const [isOver, setIsOver] = useState(false)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is mouse-only
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
        isSmall ? 'min-h-11 py-2' : 'min-h-28 py-5',
        isOff && 'cursor-not-allowed border-line bg-sunken text-muted',
        !isOff && 'cursor-pointer hover:border-brand hover:bg-tint',
        !isOff && (isOver ? 'border-brand bg-tint' : 'border-field bg-surface'),
      )}
    >
      <ImageUp aria-hidden="true" className={cx('size-6', isOff ? 'text-muted' : 'text-brand')} />
      <span>
        <span className={cx('font-semibold', !isOff && 'text-brand-deep')}>
          {isSmall ? 'Choose another' : 'Choose an image'}
        </span>
        <span className="text-muted max-sm:hidden"> or drop it here</span>
      </span>
    </label>
  )
}

type PickedFileProps = { picked: PickedImage; progress: number | null; onClear: () => void }

function PickedFile({ picked, progress, onClear }: PickedFileProps) {
  const { file, address, objection } = picked
  return (
    <div className="flex items-start gap-3 rounded-field border border-line bg-surface p-3">
      <div className="aspect-8/5 w-24 shrink-0 overflow-hidden rounded-field bg-sunken">
        {!objection && <img src={address} alt="" className="size-full object-cover" />}
      </div>
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{file.name}</p>
        <p className="tabular text-sm text-muted">{sizeText(file.size)}</p>
        {progress !== null && <Progress name={file.name} part={progress} />}
      </div>
      <Button
        variant="quiet"
        onClick={onClear}
        aria-label={`${progress === null ? 'Remove' : 'Cancel'} ${file.name}`}
      >
        {progress === null ? 'Remove' : 'Cancel'}
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
