import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { takeEarlyInput } from '#app/lib/early-input.ts'
import { FieldMessage } from './fields.tsx'

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
