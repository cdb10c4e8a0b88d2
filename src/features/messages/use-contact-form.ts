import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import type { Captcha } from '#app/parts/captcha.tsx'
import { trpc } from '#app/trpc.ts'
import { ContactInput } from '#contract/messages.ts'

export const contactFields = ['first_name', 'last_name', 'email', 'message'] as const
export type ContactField = (typeof contactFields)[number]

const blank = { first_name: '', last_name: '', email: '', message: '', website: '' }
export type ContactValues = typeof blank
type FieldErrors = Partial<Record<ContactField, string>>

function errorOf(field: ContactField, value: string): string | undefined {
  const result = ContactInput.shape[field].safeParse(value)
  return result.success ? undefined : result.error.issues[0]?.message
}

function errorsOf(values: ContactValues): FieldErrors {
  const found = contactFields.flatMap((field) => {
    const message = errorOf(field, values[field])
    return message === undefined ? [] : [[field, message] as const]
  })
  return Object.fromEntries(found)
}

/** Values, errors and sending of the contact form. Nothing typed is lost when sending fails. */
export function useContactForm(providerId: string | undefined, captcha: Captcha) {
  const { client } = trpc.useUtils()
  const [shownAt] = useState(() => performance.now())
  const [values, setValues] = useState(blank)
  const [errors, setErrors] = useState<FieldErrors>({})
  /** Counts refused attempts, so that the summary takes focus again each time. */
  const [refusals, setRefusals] = useState(0)

  const sending = useMutation({
    mutationFn: async () => {
      const captchaValue = await captcha.solve()
      return client.messages.contact.mutate({
        ...values,
        ...(captchaValue && { captchaValue }),
        elapsedMs: Math.round(performance.now() - shownAt),
        ...(providerId !== undefined && { providerId }),
      })
    },
    // Good for one try.
    onSettled: () => captcha.renew(),
    onError: (error) => {
      const { fields } = describeFailure(error)
      const known = contactFields.filter((field) => fields[field] !== undefined)
      setErrors(Object.fromEntries(known.map((field) => [field, fields[field]])))
      setRefusals((count) => count + 1)
    },
  })

  return {
    values,
    errors,
    refusals,
    receipt: sending.data,
    failure: sending.error ? describeFailure(sending.error) : null,
    isSending: sending.isPending,
    /** A field with an error is checked as it is typed, so that the error goes the moment it may. */
    change(field: keyof ContactValues, value: string) {
      setValues((now) => ({ ...now, [field]: value }))
      if (field !== 'website' && errors[field] !== undefined) {
        setErrors((now) => ({ ...now, [field]: errorOf(field, value) }))
      }
    },
    /** On leaving a field that has something in it, its own rules are applied. */
    leave(field: ContactField) {
      if (values[field] === '') return
      setErrors((now) => ({ ...now, [field]: errorOf(field, values[field]) }))
    },
    submit() {
      const found = errorsOf(values)
      setErrors(found)
      sending.reset()
      if (Object.keys(found).length === 0) sending.mutate()
      else setRefusals((count) => count + 1)
    },
  }
}
