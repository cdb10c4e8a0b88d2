import type { ReactNode } from 'react'
import type { Form } from '#app/lib/use-form.ts'
import { providerParts } from './provider-parts.ts'
import type { ProviderValues } from './provider-values.ts'

/** What each part of the provider's form works on. */
export type PartProps = { form: Form<ProviderValues> }

type FormSectionProps = { part: 1 | 2 | 3 | 4 | 5; lead?: string; children: ReactNode }

/** One part of a long form, under a heading that names the group and says how far it is. */
export function FormSection({ part, lead, children }: FormSectionProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="w-full border-b border-line pb-2">
        <span className="block text-sm text-muted">
          Part {part} of {providerParts.length}
        </span>{' '}
        <span className="block text-xl font-semibold">{providerParts[part - 1]?.title}</span>
      </legend>
      {lead && <p className="mt-3 text-muted">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </fieldset>
  )
}
