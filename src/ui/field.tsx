import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAfterPress } from '#app/lib/after-press.ts'

export type FieldProps = {
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** "12 of 3,000 characters": announced after the field. */
  counter?: string
  isOptional?: boolean
}

/** ARIA attributes that tie a control to its hint, error and counter; spread them on the input. */
export function describedBy(props: Pick<FieldProps, 'id' | 'hint' | 'error' | 'counter'>) {
  const ids = [
    props.hint && `${props.id}-hint`,
    props.error && `${props.id}-error`,
    props.counter && `${props.id}-counter`,
  ].filter(Boolean)
  return {
    id: props.id,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': props.error ? true : undefined,
  }
}

/** Borders and background shared by all text controls. */
export const controlClass =
  'w-full rounded-field border border-field bg-surface px-3 text-base text-ink placeholder:text-muted ' +
  'min-h-11 transition-colors duration-150 hover:border-ink aria-invalid:border-2 aria-invalid:border-danger ' +
  'disabled:border-line disabled:bg-sunken disabled:text-muted'

/** A field's error message, if any. It appears and disappears only between presses. */
export function FieldMessage({ id, error: latest }: { id: string; error: string | undefined }) {
  const error = useAfterPress(latest)
  if (!error) return null
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm font-medium text-danger">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {error}
    </p>
  )
}

/** Label, hint, error and counter around one control. */
export function Field(props: FieldProps & { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={props.id} className="font-semibold">
        {props.label}
        {props.isOptional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {props.hint && (
        <p id={`${props.id}-hint`} className="text-sm text-muted">
          {props.hint}
        </p>
      )}
      <FieldMessage id={`${props.id}-error`} error={props.error} />
      {props.children}
      {props.counter && (
        <p id={`${props.id}-counter`} className="tabular text-sm text-muted">
          {props.counter}
        </p>
      )}
    </div>
  )
}
