import { Eye, EyeOff, Plus, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefCallback, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { takeEarlyInput } from '#app/lib/forms/early-input.ts'
import type { FieldErrors } from '#app/lib/forms/use-form.ts'
import { Button } from './button.tsx'
import {
  controlClass,
  describedBy,
  Field,
  FieldMessage,
  type FieldProps,
  splitField,
  TextInput,
} from './fields.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & { label: ReactNode }

/** A native checkbox with its label; the whole row is the target, 44 pixels high. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        ref={takeEarlyInput}
        type="checkbox"
        {...input}
        className="size-5 shrink-0 accent-brand"
      />
      <span>{label}</span>
    </label>
  )
}

type SwitchProps = Omit<ComponentProps<'button'>, 'onChange' | 'role' | 'children'> & {
  isOn: boolean
  onChange: () => void
  /** What is on or off. */
  children: ReactNode
}

/** Takes effect at once, without saving: the label is part of the target, 44 pixels high. */
export function Switch({ isOn, onChange, children, className, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      {...rest}
      role="switch"
      aria-checked={isOn}
      onClick={onChange}
      className={cx(
        'inline-flex min-h-11 items-center gap-3 rounded-field text-left font-semibold',
        className,
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'relative h-6 w-11 shrink-0 rounded-full border transition-colors duration-150',
          isOn ? 'border-brand bg-brand' : 'border-field bg-sunken',
        )}
      >
        <span
          className={cx(
            'absolute top-0.75 left-0.75 size-4 rounded-full transition-transform duration-150 ease-calm',
            isOn ? 'translate-x-5 bg-on-brand' : 'bg-field',
          )}
        />
      </span>
      {children}
    </button>
  )
}

type PasswordInputProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'type'>

/** A password field with a button that reveals it. Pasting and password managers work. */
export function PasswordInput(props: PasswordInputProps) {
  const { field, control } = splitField(props)
  const { className, ...input } = control
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field {...field}>
      <div className="relative">
        <input
          {...input}
          {...describedBy(field)}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={cx(controlClass, 'pr-24', className)}
        />
        <button
          type="button"
          aria-controls={field.id}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 inline-flex min-w-20 items-center justify-center gap-1.5 rounded-field px-3 text-sm font-semibold text-brand-deep hover:bg-tint"
        >
          <Icon aria-hidden="true" className="size-4" />
          {isShown ? 'Hide' : 'Show'}
          <span className="sr-only"> password</span>
        </button>
      </div>
    </Field>
  )
}

/** One field for a six-digit code: phones suggest the code from the email, pasting works. */
export function CodeInput(props: ComponentProps<typeof TextInput>) {
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={6}
      className="tabular max-w-44 text-lg tracking-[0.3em]"
    />
  )
}

type DateParts = { day: string; month: string; year: string }

function partsOf(value: string): DateParts {
  const [year = '', month = '', day = ''] = value.split('-')
  return { day: day.replace(/^0/, ''), month: month.replace(/^0/, ''), year }
}

/** An ISO date such as `1990-02-03`; an invalid date stays as typed, for the schema to reject. */
function dayOfParts({ day, month, year }: DateParts): string {
  if (day + month + year === '') return ''
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const partFields = {
  day: { label: 'Day', width: 'w-18', length: 2 },
  month: { label: 'Month', width: 'w-18', length: 2 },
  year: { label: 'Year', width: 'w-26', length: 4 },
} as const

const partOrders = {
  uk: ['day', 'month', 'year'],
  usa: ['month', 'day', 'year'],
} as const

const dateExamples = { uk: '27 3 1990', usa: '3 27 1990' } as const

type DateFieldsProps = {
  id: string
  name: string
  label: string
  /** An ISO date, or the part of one typed so far. */
  value: string
  error: string | undefined
  /** Sets the order of the fields. */
  region: keyof typeof partOrders
  /** Lets the browser autofill a birthday. */
  isBirthday?: boolean
  ref: RefCallback<HTMLElement>
  onChange: (event: { target: { name: string; value: string } }) => void
  onBlur: (event: { target: { name: string; value: string } }) => void
}

/** A date people know by heart, typed in three fields: no paging through decades in a calendar. */
export function DateFields(props: DateFieldsProps) {
  const { id, name, label, value, error, region, isBirthday = false, ref, onChange, onBlur } = props
  const [parts, setParts] = useState(() => partsOf(value))
  const [first] = partOrders[region]
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        For example, {dateExamples[region]}
      </p>
      <FieldMessage id={`${id}-error`} error={error} />
      <div className="flex flex-wrap gap-3">
        {partOrders[region].map((part) => (
          <label
            key={part}
            className={cx('flex max-w-full flex-col gap-1', partFields[part].width)}
          >
            {partFields[part].label}
            <input
              id={part === first ? id : `${id}-${part}`}
              ref={part === first ? ref : undefined}
              inputMode="numeric"
              maxLength={partFields[part].length}
              autoComplete={isBirthday ? `bday-${part}` : 'off'}
              value={parts[part]}
              aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
              aria-invalid={error ? true : undefined}
              className={cx(controlClass, 'tabular')}
              onBlur={({ currentTarget, relatedTarget }) => {
                const isStillInside = currentTarget.closest('fieldset')?.contains(relatedTarget)
                if (!isStillInside) onBlur({ target: { name, value } })
              }}
              onChange={({ target }) => {
                const next = { ...parts, [part]: target.value.trim() }
                setParts(next)
                onChange({ target: { name, value: dayOfParts(next) } })
              }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type ListEditorProps = {
  /** Ends in the path of the list; a line's id is `<id>.<position>`. */
  id: string
  legend: string
  /** The word for one item: "qualification". */
  noun: string
  hint: string
  longest: number
  items: readonly string[]
  errors: FieldErrors
  onChange: (items: readonly string[]) => void
  onLeave: (path: string) => void
}

/** A list of short texts, one field each, with lines to add and remove. */
export function ListEditor(props: ListEditorProps) {
  const { id, legend, noun, hint, longest, items, errors, onChange, onLeave } = props
  const box = useRef<HTMLFieldSetElement>(null)
  const path = id.slice(id.lastIndexOf('-') + 1)
  const focusLine = (at: number) =>
    // After the list has rendered with its new line, or without the removed one.
    requestAnimationFrame(() => document.getElementById(`${id}.${at}`)?.focus())

  return (
    <fieldset ref={box} className="min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="font-semibold">{legend}</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      <ol className="mt-3 flex flex-col gap-3">
        {items.map((item, at) => (
          // Lines have no identity but their position.
          <li key={at} className="flex items-end gap-2">
            <div className="flex-1">
              <TextInput
                id={`${id}.${at}`}
                label={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${at + 1}`}
                value={item}
                error={errors[`${path}.${at}`]}
                onChange={({ target }) => onChange(items.with(at, target.value))}
                onBlur={({ target }) => target.value !== '' && onLeave(`${path}.${at}`)}
              />
            </div>
            {items.length > 1 && (
              <Button
                variant="quiet"
                aria-label={`Remove ${noun} ${at + 1}`}
                onClick={() => {
                  onChange(items.toSpliced(at, 1))
                  focusLine(Math.max(0, at - 1))
                }}
              >
                <X aria-hidden="true" className="size-5" />
                Remove
              </Button>
            )}
          </li>
        ))}
      </ol>
      {items.length < longest && (
        <Button
          variant="secondary"
          className="mt-3"
          onClick={() => {
            onChange([...items, ''])
            focusLine(items.length)
          }}
        >
          <Plus aria-hidden="true" className="size-5" />
          Add another {noun}
        </Button>
      )}
    </fieldset>
  )
}
