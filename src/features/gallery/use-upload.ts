import { useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import type { ImageAnswer } from '#contract/gallery-staff.ts'
import { uploadImage } from './upload-image.ts'
import { usePickedImage } from './use-picked-image.ts'

function wasCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** One image on its way to an upload path: chosen, looked at, sent, or cancelled. */
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
      void pick(file)
    },
    /** Takes the image away, also one that is on its way. */
    clear: () => {
      leaving.current?.abort()
      setFailure(null)
      clear()
      input.current?.focus()
    },
    /** Sends what was chosen; null when it was cancelled or refused, which is then said. */
    async send(): Promise<ImageAnswer | null> {
      if (!picked || picked.objection !== null || progress !== null) return null
      const mine = new AbortController()
      leaving.current = mine
      setFailure(null)
      setProgress(0)
      try {
        const { file } = picked
        const answer = await uploadImage({
          path,
          file,
          onProgress: setProgress,
          signal: mine.signal,
        })
        clear()
        return answer
      } catch (error) {
        if (!wasCancelled(error)) setFailure(describeFailure(error))
        return null
      } finally {
        setProgress(null)
      }
    },
  }
}
