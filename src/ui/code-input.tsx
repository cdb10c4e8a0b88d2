import type { ComponentProps } from 'react'
import { TextInput } from './text-input.tsx'

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
