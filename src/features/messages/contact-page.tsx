import { siteConfig } from '#app/lib/site-config.ts'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Container, PageTitle } from '#app/ui/page.tsx'
import { ContactForm } from './contact-form.tsx'

const lead =
  'Ask a question, report a mistake or tell us what would help. A person reads every message.'

/** `/contact-us`: the contact form to the operators of the site. */
export function ContactPage() {
  const { supportEmail } = siteConfig()
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title="Contact us" description={lead} />
      <h1 className="text-3xl font-semibold">Contact us</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{lead}</p>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-12 wrap-anywhere lg:grid-cols-[36rem_minmax(0,1fr)]">
        <ContactForm />
        <aside aria-label="Other ways" className="flex max-w-prose flex-col gap-6">
          <Notice kind="warn" title="In an emergency">
            <p>Call 999 in the UK or 911 in the USA. Don’t use this form.</p>
          </Notice>
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
