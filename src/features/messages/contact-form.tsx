import { useId } from 'react'
import { CaptchaField, useCaptcha } from '#app/parts/captcha.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { FailureBox } from '#app/ui/form-frame.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { numberFormat } from '#contract/intl.ts'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { MessageSent } from './message-sent.tsx'
import { type ContactField, contactFields, useContactForm } from './use-contact-form.ts'

type ContactFormProps = {
  /** Whom the message is for; left out, it is for the people who run the site. */
  provider?: { id: string; name: string }
}

const count = numberFormat('en-GB')

/** First name, last name, email and message, to the site or to one provider. */
export function ContactForm({ provider }: ContactFormProps) {
  const id = useId()
  const captcha = useCaptcha()
  const form = useContactForm(provider?.id, captcha)
  if (form.receipt) {
    return <MessageSent reference={form.receipt.reference} to={provider?.name ?? 'us'} />
  }

  const wrong = contactFields.flatMap((field) => {
    const message = form.errors[field]
    return message === undefined ? [] : [{ fieldId: `${id}-${field}`, message }]
  })
  const field = (name: ContactField) => ({
    id: `${id}-${name}`,
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: (event: { target: { value: string } }) => form.change(name, event.target.value),
    onBlur: () => form.leave(name),
  })

  return (
    <form
      noValidate
      aria-label={provider ? `Message to ${provider.name}` : 'Contact us'}
      className="flex max-w-form flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isSending) form.submit()
      }}
    >
      {form.refusals > 0 && wrong.length > 0 && <ErrorSummary key={form.refusals} errors={wrong} />}
      {form.failure && wrong.length === 0 && (
        <FailureBox key={form.refusals} title="Your message was not sent" failure={form.failure} />
      )}
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput label="First name" autoComplete="given-name" {...field('first_name')} />
        <TextInput label="Last name" autoComplete="family-name" {...field('last_name')} />
      </div>
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="email"
        label="Email"
        hint="We send the answer here."
        {...field('email')}
      />
      <TextArea
        label="Message"
        hint="Do not write about emergencies here: call 999 in the UK or 911 in the USA."
        counter={`${count.format(form.values.message.length)} of ${count.format(MESSAGE_MAX)} characters`}
        {...field('message')}
      />
      {/* A trap for robots: out of sight, out of the tab order and unknown to screen readers. */}
      <div aria-hidden="true" className="sr-only">
        <label htmlFor={`${id}-website`}>Website</label>
        <input
          id={`${id}-website`}
          name="website"
          tabIndex={-1}
          autoComplete="off"
          value={form.values.website}
          onChange={(event) => form.change('website', event.target.value)}
        />
      </div>
      <CaptchaField captcha={captcha} />
      <div>
        <Button
          type="submit"
          isBusy={form.isSending}
          // A field that loses focus to this press may grow by its error: the button would slip away
          // from under the pointer, and the press would be lost.
          onMouseDown={(event) => event.preventDefault()}
        >
          {form.isSending ? 'Sending' : 'Send message'}
        </Button>
      </div>
    </form>
  )
}
