import { type ReactNode, useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { cx } from '#app/lib/cx.ts'
import type { Failure } from '#app/lib/errors.ts'
import type { Form } from '#app/lib/forms/use-form.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type FormFrameProps = {
  /** Only what the frame itself shows; the fields are its children. */
  form: Pick<
    Form<FieldValues>,
    'id' | 'errors' | 'attempts' | 'isRefused' | 'isFailed' | 'failure' | 'submit'
  >
  label: string
  /** Title above the error message: "You were not signed in". */
  failureTitle: string
  children: ReactNode
  className?: string
}

/** A form with its error summary, which takes focus, and a box for a failed request. */
export function FormFrame(props: FormFrameProps) {
  const { form, label, failureTitle, children, className } = props
  const wrong = Object.entries(form.errors).map(([path, message]) => ({
    fieldId: `${form.id}-${path}`,
    message,
  }))
  return (
    <form
      noValidate
      aria-label={label}
      className={cx('flex max-w-form flex-col gap-6', className)}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {form.isRefused && wrong.length > 0 && <ErrorSummary key={form.attempts} errors={wrong} />}
      {form.failure && form.isFailed && (
        <FailureBox key={form.attempts} title={failureTitle} failure={form.failure} />
      )}
      {children}
    </form>
  )
}

type FieldError = { fieldId: string; message: string }

/** "There is a problem": takes focus when shown; each line links to its field. */
function ErrorSummary({ errors }: { errors: readonly FieldError[] }) {
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

type FormButtonsProps = {
  /** Label of the submit button: "Save". */
  send: string
  isBusy: boolean
  /** The action cannot be undone. */
  isDangerous?: boolean | undefined
  onCancel: () => void
}

/** Submit and Cancel of a form that opened on a page or in a dialog. */
export function FormButtons({ send, isBusy, isDangerous, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isBusy={isBusy}>
        {send}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

type FailureNoticeProps = {
  title: string
  /** Null where the fields themselves show the errors. */
  failure: Pick<Failure, 'sentence' | 'reference'> | null
}

/** Takes focus like the error summary: above a long form it would be out of view. */
export function FailureBox({ title, failure }: FailureNoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="scroll-my-6 rounded-field">
      <FailureNotice title={title} failure={failure} />
    </div>
  )
}

/** The same where focus stays: beside the button that was pressed. */
export function FailureNotice({ title, failure }: FailureNoticeProps) {
  return (
    <Notice kind="danger" role="alert" title={title}>
      {failure && <p>{failure.sentence}</p>}
      {failure?.reference && <p className="text-sm text-muted">Reference: {failure.reference}</p>}
    </Notice>
  )
}
