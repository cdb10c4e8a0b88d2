import { useEffect, useRef } from 'react'

export type FieldError = { fieldId: string; message: string }

/** "There is a problem": takes focus when shown; each line leads to its field. */
export function ErrorSummary({ errors }: { errors: readonly FieldError[] }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="rounded-card border-2 border-danger bg-surface p-4 sm:p-6"
    >
      <h2 className="text-lg font-semibold">There is a problem</h2>
      <ul className="mt-2 flex flex-col gap-1">
        {errors.map((error) => (
          <li key={error.fieldId}>
            <a
              href={`#${error.fieldId}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(error.fieldId)?.focus()
              }}
              className="inline-flex min-h-6 font-semibold text-danger underline underline-offset-[0.2em]"
            >
              {error.message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
