import { CircleAlert } from 'lucide-react'
import { TextLink } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'

type TermsBoxProps = {
  id: string
  isChecked: boolean
  error: string | undefined
  onChange: (isChecked: boolean) => void
}

/** Checkbox for consent to the terms, never preselected. */
export function TermsBox({ id, isChecked, error, onChange }: TermsBoxProps) {
  return (
    <div>
      {error && (
        <p
          id={`${id}-error`}
          className="mb-1.5 flex items-start gap-1.5 text-sm font-medium text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      <Checkbox
        id={id}
        checked={isChecked}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={({ target }) => onChange(target.checked)}
        label={
          <>
            I agree to the{' '}
            <TextLink to="/terms-of-use" target="_blank" rel="noopener">
              terms of use<span className="sr-only"> (opens in a new tab)</span>
            </TextLink>{' '}
            and have read{' '}
            <TextLink to="/privacy-cookie" target="_blank" rel="noopener">
              the privacy notice<span className="sr-only"> (opens in a new tab)</span>
            </TextLink>
          </>
        }
      />
    </div>
  )
}
