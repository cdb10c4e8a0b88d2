import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import type { FieldErrors } from '#app/lib/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/text-input.tsx'

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
          // oxlint-disable-next-line react/no-array-index-key
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
