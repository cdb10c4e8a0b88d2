import { ImageUp } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { typeProblem, uploadFile, withRealType } from '#app/lib/files.ts'
import { FileField, PickedFile } from '#app/parts/file-field.tsx'
import { PICTURE_TYPES } from '#contract/base/file-types.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { IMAGE_MAX_BYTES, ImageResponse } from '#contract/gallery.ts'

function isAbortError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** State of one image upload: choosing, checking, uploading and cancelling. */
export function useUpload(path: string) {
  const input = useRef<HTMLInputElement>(null)
  const leaving = useRef<AbortController | null>(null)
  const { picked, pick, clear } = usePickedImage()
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  return {
    input,
    picked,
    progress,
    failure,
    pick: (file: File | undefined) => {
      setFailure(null)
      // Allows choosing the same file again after it was removed.
      if (input.current) input.current.value = ''
      void pick(file)
    },
    /** Removes the image, aborting its upload if necessary. */
    clear: () => {
      leaving.current?.abort()
      setFailure(null)
      clear()
      input.current?.focus()
    },
    /** Uploads the chosen image; null if it was cancelled or failed, which `failure` then explains. */
    async send(): Promise<ImageResponse | null> {
      if (!picked || picked.objection !== null || progress !== null) return null
      const mine = new AbortController()
      leaving.current = mine
      setFailure(null)
      setProgress(0)
      try {
        const { file } = picked
        const request = { path, file, onProgress: setProgress, signal: mine.signal }
        const answer = ImageResponse.parse(await uploadFile(request))
        clear()
        return answer
      } catch (error) {
        if (!isAbortError(error)) setFailure(describeFailure(error))
        return null
      } finally {
        setProgress(null)
      }
    },
  }
}

type PickedImage = {
  file: File
  /** Object URL for the preview. */
  address: string
  /** Why the image cannot be uploaded; undefined while it is checked, null if it can. */
  objection: string | null | undefined
}

/** The chosen or dropped image, checked before uploading. */
function usePickedImage() {
  const [picked, setPicked] = useState<PickedImage | null>(null)
  const address = picked?.address
  useEffect(() => {
    if (address === undefined) return
    return () => URL.revokeObjectURL(address)
  }, [address])

  return {
    picked,
    clear: () => setPicked(null),
    pick: async (given: File | undefined): Promise<void> => {
      if (given === undefined) return
      const url = URL.createObjectURL(given)
      setPicked({ file: given, address: url, objection: undefined })
      const file = await withRealType(given)
      const objection = await imageProblem(file, url)
      // Another one may have been chosen meanwhile.
      setPicked((now) => (now?.address === url ? { file, address: url, objection } : now))
    },
  }
}

/** The server's limit, checked here to avoid a futile upload. */
const MAX_PIXELS = 25_000_000

/** Pixel count of an image, from its header without decoding it; null if it is not an image. */
function pixelsOf(address: string): Promise<number | null> {
  return new Promise((resolve) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image.naturalWidth * image.naturalHeight))
    image.addEventListener('error', () => resolve(null))
    image.src = address
  })
}

/**
 * Validates a file before uploading and returns the server's sentence for the error; null if it is valid.
 * `address` is its object URL.
 */
async function imageProblem(file: File, address: string): Promise<string | null> {
  const wrong = typeProblem(file.type, { accept: PICTURE_TYPES, wrongType: 'image_type' })
  if (wrong !== null) return wrong
  if (file.size > IMAGE_MAX_BYTES) return errorMessage('image_too_large')
  const pixels = await pixelsOf(address)
  if (pixels === null) return errorMessage('image_damaged')
  return pixels > MAX_PIXELS ? errorMessage('image_too_many_pixels') : null
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
  return (
    <FileField
      id={id}
      label={label}
      hint="JPEG, PNG, WebP or AVIF, up to 5 MB and 25 megapixels."
      error={picked?.objection}
      accept={PICTURE_TYPES}
      input={input}
      noun="an image"
      icon={ImageUp}
      isPicked={picked !== null}
      isOff={isDisabled || progress !== null}
      reasonId={isDisabled ? reasonId : undefined}
      onPick={onPick}
    >
      {picked && (
        <PickedFile
          name={picked.file.name}
          size={picked.file.size}
          progress={progress}
          picture={
            <div className="aspect-8/5 w-24 shrink-0 overflow-hidden rounded-field bg-sunken">
              {!picked.objection && (
                <img src={picked.address} alt="" className="size-full object-cover" />
              )}
            </div>
          }
          onRemove={onClear}
        />
      )}
    </FileField>
  )
}
