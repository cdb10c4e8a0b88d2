import { ChevronDown, CircleAlert } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { earlyInput, takeEarlyInput } from '#app/lib/forms/early-input.ts'
import { useAfterPress } from '#app/lib/press.ts'

export type FieldProps = {
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** "12 of 3,000 characters": announced after the field. */
  counter?: string | undefined
  isOptional?: boolean | undefined
}

/** Separates what stands around a control from what the control itself takes. */
export function splitField<Props extends FieldProps>(props: Props) {
  const { id, label, hint, error, counter, isOptional, ...control } = props
  return { field: { id, label, hint, error, counter, isOptional }, control }
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

type TextInputProps = FieldProps & Omit<ComponentProps<'input'>, 'id'>

/** A labelled one-line field. */
export function TextInput(props: TextInputProps) {
  const { field, control } = splitField(props)
  const { className, ref, ...input } = control
  return (
    <Field {...field}>
      <input
        ref={earlyInput(ref)}
        type="text"
        {...input}
        {...describedBy(field)}
        className={cx(controlClass, className)}
      />
    </Field>
  )
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id'>

/** A labelled multi-line field that grows with its text where browsers support it. */
export function TextArea(props: TextAreaProps) {
  const { field, control } = splitField(props)
  const { className, ref, ...area } = control
  return (
    <Field {...field}>
      <textarea
        ref={earlyInput(ref)}
        rows={6}
        {...area}
        {...describedBy(field)}
        className={cx(controlClass, 'field-sizing-content max-h-128 min-h-36 py-2.5', className)}
      />
    </Field>
  )
}

type SelectProps = FieldProps & Omit<ComponentProps<'select'>, 'id'>

/** A labelled native select: the best picker on every phone is the phone's own. */
export function Select(props: SelectProps) {
  const { field, control } = splitField(props)
  const { className, ref, ...select } = control
  return (
    <Field {...field}>
      {/* Both shrink together: the arrow stays inside the border. */}
      <div className={cx('relative', className)}>
        <select
          ref={earlyInput(ref)}
          {...select}
          {...describedBy(field)}
          className={cx(controlClass, 'appearance-none truncate pr-10')}
        />
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  )
}

type PillSelectProps = Omit<ComponentProps<'select'>, 'aria-label'> & {
  /** For screen readers; the options must make sense without it. */
  label: string
  /** Something other than the first option is chosen. */
  isActive: boolean
}

/** A native select in the shape of a chip, for a bar of filters. */
export function PillSelect({ label, isActive, className, ...select }: PillSelectProps) {
  return (
    <span className="relative inline-flex max-w-full">
      <select
        ref={takeEarlyInput}
        {...select}
        aria-label={label}
        className={cx(
          'field-sizing-content min-h-11 max-w-56 appearance-none truncate rounded-full border pr-9 pl-4 text-base font-medium',
          'transition-colors duration-150 hover:border-brand',
          isActive ? 'border-brand bg-tint text-brand-deep' : 'border-field bg-surface text-ink',
          className,
        )}
      />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}

type Choice<Value extends string> = {
  value: Value
  label: string
  detail?: ReactNode
  /** At the right edge, such as a price. */
  aside?: ReactNode
  /** Cannot be chosen; `detail` says why. */
  isDisabled?: boolean
}

type RadioCardsProps<Value extends string> = {
  name: string
  legend: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Where nothing is chosen at first: id of the first choice, which the error summary links to. */
  id?: string
  error?: string | undefined
  /** Shown side by side as one strip rather than as cards. */
  isCompact?: boolean
  /** The legend is for screen readers only. */
  isLegendHidden?: boolean
}

const card =
  'flex min-h-11 items-center gap-2.5 rounded-field border border-field bg-surface px-4 py-2 transition-colors ' +
  'duration-150 hover:border-brand has-checked:border-brand has-checked:bg-tint has-checked:text-brand-deep ' +
  'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand ' +
  'has-disabled:border-line has-disabled:bg-sunken has-disabled:text-muted'

/** One choice of a few, each a large target; native radio buttons underneath. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      aria-describedby={props.error && `${props.id}-error`}
    >
      <legend className={props.isLegendHidden ? 'sr-only' : 'mb-1.5 font-semibold'}>
        {props.legend}
      </legend>
      {props.id && <FieldMessage id={`${props.id}-error`} error={props.error} />}
      <div className={cx('flex gap-2', props.isCompact ? 'flex-wrap' : 'flex-col')}>
        {props.choices.map((choice, at) => (
          <label key={choice.value} className={cx(card, choice.aside !== undefined && 'flex-wrap')}>
            <input
              id={at === 0 ? props.id : undefined}
              ref={takeEarlyInput}
              type="radio"
              name={props.name}
              value={choice.value}
              checked={choice.value === props.value}
              disabled={choice.isDisabled}
              onChange={() => props.onChange(choice.value)}
              className="size-4.5 shrink-0 accent-brand outline-none"
            />
            {/* Beside a price the label has a minimum width; with large text the price wraps below it. */}
            <span className={cx('min-w-0', choice.aside !== undefined && 'flex-1 basis-24')}>
              <span className="block font-medium">{choice.label}</span>
              {choice.detail && <span className="block text-sm text-muted">{choice.detail}</span>}
            </span>
            {choice.aside && (
              <span className="tabular ml-auto pl-2 text-right whitespace-nowrap">
                {choice.aside}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
