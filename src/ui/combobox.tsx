import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { takeEarlyInput } from '#app/lib/forms/early-input.ts'
import { controlClass, describedBy, Field, type FieldProps, splitField } from './fields.tsx'

export type Suggestion = { value: string; label: string; detail: string }

type ComboboxProps = FieldProps &
  Pick<ComponentProps<'input'>, 'name' | 'placeholder' | 'autoComplete' | 'maxLength'> & {
    value: string
    /** A button at the end of the field, 44 pixels wide. */
    action?: ReactNode
    suggestions: readonly Suggestion[]
    onType: (text: string) => void
    onPick: (suggestion: Suggestion) => void
  }

const NONE = -1

/**
 * A text field with suggestions (ARIA combobox, list autocomplete). Free text is allowed; without
 * suggestions, or until they arrive, it is a plain text field.
 */
export function Combobox({ suggestions, action, onType, onPick, ...props }: ComboboxProps) {
  const { field, control: input } = splitField(props)
  const [isListWanted, setListWanted] = useState(false)
  const [marked, setMarked] = useState<string | null>(null)
  // By value: other suggestions may arrive, and Enter must take the one that was marked.
  const active = suggestions.findIndex(({ value }) => value === marked)
  const isOpen = isListWanted && suggestions.length > 0
  const optionId = (at: number) => `${props.id}-option-${at}`

  const close = () => {
    setListWanted(false)
    setMarked(null)
  }
  const pick = (suggestion: Suggestion) => {
    onPick(suggestion)
    close()
  }
  const move = (step: 1 | -1) => {
    setListWanted(true)
    // One position more than there are options: moving past either end returns to the text itself.
    const count = suggestions.length + 1
    setMarked(suggestions[((active + 1 + step + count) % count) - 1]?.value ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = isOpen ? suggestions[active] : undefined
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      pick(chosen)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab' || event.key === 'Enter') close()
  }

  return (
    <Field {...field}>
      <div className="relative">
        <input
          ref={takeEarlyInput}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${props.id}-list`}
          aria-activedescendant={isOpen && active !== NONE ? optionId(active) : undefined}
          {...input}
          {...describedBy(field)}
          onChange={(event) => {
            onType(event.target.value)
            setListWanted(true)
            setMarked(null)
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
          className={cx(controlClass, action !== undefined && 'pr-12')}
        />
        {action !== undefined && <div className="absolute top-0 right-0">{action}</div>}
        <div
          id={`${props.id}-list`}
          role="listbox"
          aria-label={field.label}
          hidden={!isOpen}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-y-auto rounded-field border border-line bg-surface p-1 shadow-float"
        >
          {suggestions.map((suggestion, at) => (
            // The text field handles the keys: the list never has focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={suggestion.value}
              id={optionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              // Keeps the field's focus, whose loss would close the list under the press.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(suggestion)}
              className={cx(
                'flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-field px-3 py-2 hover:bg-tint',
                at === active && 'bg-tint text-brand-deep',
              )}
            >
              <span className="min-w-0 truncate font-medium">{suggestion.label}</span>
              <span className="shrink-0 text-sm text-muted">{suggestion.detail}</span>
            </div>
          ))}
        </div>
      </div>
    </Field>
  )
}
