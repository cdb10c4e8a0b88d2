import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Form, useForm } from '#app/lib/forms/use-form.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { CaptchaField, useCaptcha } from '#app/parts/captcha/captcha.tsx'
import { NameFields, nameInput, nameValues } from '#app/parts/name-fields.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink, textLinkClass } from '#app/ui/button.tsx'
import { TextArea, TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Container, PageTitle } from '#app/ui/page.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import { ContactInput, type ContactReceipt, MESSAGE_MAX } from '#contract/messages.ts'

type ContactFormProps = {
  /** Recipient; the operators of the site when omitted. */
  provider?: { id: string; name: string }
}

const count = numberFormat('en-GB')

const blank = { ...nameValues('', ''), email: '', message: '', website: '' }

/** Prefills the signed-in user's details once, leaving fields with text unchanged. */
function usePrefill(form: Form<typeof blank>): void {
  const { data: me } = useMe()
  const isDone = useRef(false)
  useEffect(() => {
    if (me === undefined || me === null || isDone.current) return
    isDone.current = true
    for (const name of ['first_name', 'last_name', 'email'] as const) {
      if (form.values[name] === '' && me[name] !== '') form.set(name, me[name])
    }
    // Staff have no names at first.
    const isOneName = me.first_name !== '' && me.last_name === ''
    if (isOneName && form.values.last_name === '') form.set('has_one_name', true)
  }, [me, form])
}

/** First name, last name, email and message, to the site or to one provider. */
export function ContactForm({ provider }: ContactFormProps) {
  const { client } = trpc.useUtils()
  const captcha = useCaptcha()
  const [shownAt] = useState(() => performance.now())
  const [receipt, setReceipt] = useState<ContactReceipt | null>(null)
  const form = useForm({
    blank,
    schema: ContactInput,
    toInput: (values) => ({ ...nameInput(values), ...(provider && { providerId: provider.id }) }),
    send: async (input) => {
      const captchaValue = await captcha.solve()
      try {
        return await client.messages.contact.mutate({
          ...input,
          ...(captchaValue && { captchaValue }),
          elapsedMs: Math.round(performance.now() - shownAt),
        })
      } finally {
        // A captcha is valid for a single attempt.
        captcha.renew()
      }
    },
    onSent: setReceipt,
  })
  usePrefill(form)
  if (receipt) return <MessageSent reference={receipt.reference} to={provider?.name ?? 'us'} />
  return (
    <FormFrame
      form={form}
      label={provider ? `Message to ${provider.name}` : 'Contact us'}
      failureTitle="We couldn’t send your message"
    >
      <NameFields form={form} />
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="email"
        label="Email"
        hint="We’ll reply to this address."
        {...form.text('email')}
      />
      <TextArea
        label="Message"
        // The page of the site's own form says it beside the form.
        {...(provider && {
          hint: 'Don’t use this form in an emergency: call 999 in the UK or 911 in the USA.',
        })}
        counter={`${count.format(form.values.message.length)} of ${count.format(MESSAGE_MAX)} characters`}
        {...form.text('message')}
      />
      {/* Honeypot for bots: out of sight, out of the tab order and hidden from screen readers. */}
      <div aria-hidden="true" className="sr-only">
        <label htmlFor={`${form.id}-website`}>Website</label>
        <input
          id={`${form.id}-website`}
          name="website"
          tabIndex={-1}
          autoComplete="off"
          value={form.values.website}
          onChange={({ target }) => form.set('website', target.value)}
        />
      </div>
      <CaptchaField captcha={captcha} />
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          {form.isBusy ? 'Sending' : 'Send message'}
        </Button>
      </div>
    </FormFrame>
  )
}

/** Replaces the form once the message is sent, and takes focus. */
function MessageSent({ reference, to }: { reference: string; to: string }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div
      ref={panel}
      role="status"
      tabIndex={-1}
      className="max-w-form rounded-card border border-ok bg-tint p-6 sm:p-8"
    >
      <CircleCheck aria-hidden="true" className="size-8 text-ok" />
      <h2 className="mt-3 text-xl font-semibold">Message sent</h2>
      <p className="mt-2">
        Your message to {to} is on its way. You’ll get a reply at the email address you gave.
      </p>
      <p className="mt-4 text-sm text-muted">
        Reference: <span className="tabular break-all text-ink select-all">{reference}</span>
      </p>
    </div>
  )
}

const lead =
  'Ask a question, report a mistake or tell us what would help. A person reads every message.'

/** `/contact-us`: the contact form to the operators of the site. */
export function ContactPage() {
  const { supportEmail } = useSiteConfig()
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title="Contact us" description={lead} />
      <h1 className="text-3xl font-semibold">Contact us</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{lead}</p>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 wrap-anywhere lg:grid-cols-[36rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        {/* Above the form on narrow screens, where the rest of the column comes after it. */}
        <Notice kind="warn" title="In an emergency" className="max-w-prose lg:col-start-2">
          <p>Call 999 in the UK or 911 in the USA. Don’t use this form.</p>
        </Notice>
        <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <ContactForm />
        </div>
        <aside
          aria-label="Other ways"
          className="flex max-w-prose flex-col gap-6 max-lg:mt-4 lg:col-start-2"
        >
          <div>
            <h2 className="text-lg font-semibold">By email</h2>
            <p className="mt-1">
              <a href={`mailto:${supportEmail}`} className={textLinkClass}>
                {supportEmail}
              </a>
            </p>
          </div>
          <div>
            <h2 className="text-lg font-semibold">About a visit or a provider</h2>
            <p className="mt-1 text-muted">
              Write to the provider from their profile:{' '}
              <TextLink to="/home">find a provider</TextLink>.
            </p>
          </div>
        </aside>
      </div>
    </Container>
  )
}
