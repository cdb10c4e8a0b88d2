import { type ReactNode, useState } from 'react'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { PromoDialog } from '#app/parts/homepage-content.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Container, PageTitle, PendingShapes } from '#app/ui/page.tsx'
import { homepageOptions } from './use-homepage.ts'

/** What Apposite is, how it decides, and where its data comes from. */
export function AboutPage() {
  return (
    <InfoPage
      title="About us"
      lead="Apposite is an open marketplace for health appointments: patients find a provider near them, and providers manage their own calendars."
    >
      <InfoSection title="What we do">
        <p>
          Enter a postcode, a ZIP code or a town. We show the doctors, dentists and other providers
          near it, what they charge and when they’re free, taken from their own calendars.
        </p>
      </InfoSection>
      <InfoSection title="Who is listed" id="verification">
        <p>
          We only list providers whose professional registration we’ve checked: with the General
          Medical Council or the General Dental Council in the UK, or by National Provider
          Identifier in the USA. Each profile shows the registration number and the day it was
          checked.
        </p>
      </InfoSection>
      <InfoSection title="How results are ordered" id="ranking">
        <p>
          Results are ordered by distance from the place you entered, unless you choose another
          order: soonest free time, lowest fee, highest fee or name. Nobody can pay for a better
          place in the list.
        </p>
      </InfoSection>
      <InfoSection title="Open source">
        <p>
          The software behind this site is free and open source, under the MIT licence. Anyone can
          run it, read it and improve it.
        </p>
      </InfoSection>
      <InfoSection title="Data sources" id="data-sources">
        <p>Places, boundaries and postcodes come from these public sources:</p>
        <ul>
          <li>
            Contains OS data © Crown copyright and database right 2025. Contains Royal Mail data ©
            Royal Mail copyright and database right 2025. Contains National Statistics data © Crown
            copyright and database right 2025. Licensed under the Open Government Licence v3.0.
          </li>
          <li>
            Source: Office for National Statistics licensed under the Open Government Licence v3.0
            (boundaries).
          </li>
          <li>Postal places: GeoNames, CC BY 4.0.</li>
          <li>
            Villages of England: Wikipedia, List of United Kingdom locations, CC BY-SA 3.0; waters
            and hills left out.
          </li>
          <li>
            Villages of Scotland, Wales and Northern Ireland: GeoNames, CC BY 4.0; places without a
            position of their own left out.
          </li>
          <li>US Census Bureau (courtesy; public domain).</li>
          <li>Land, coasts and borders on the map: Natural Earth and US Census Bureau.</li>
        </ul>
      </InfoSection>
      <InfoSection title="Talk to us">
        <p>
          If you have a question, a correction or an idea,{' '}
          <TextLink to="/contact-us">write to us</TextLink>. The{' '}
          <TextLink to="/company-profile">company profile</TextLink> says who runs this site.
        </p>
      </InfoSection>
    </InfoPage>
  )
}

/** Who runs this installation. All facts here come from the operator. */
export function CompanyPage() {
  const { company, supportEmail, demo } = useSiteConfig()
  const facts = [
    { name: 'Name', value: company.name },
    { name: 'Registration', value: company.registration },
    { name: 'Address', value: company.address.join(', ') },
  ]
  return (
    <InfoPage title="Company profile" lead="The company that runs this site.">
      {demo && (
        <Notice title="Demonstration details">
          <p>This is a demonstration site. The company below is made up.</p>
        </Notice>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {facts.map((fact) => (
          <div
            key={fact.name}
            className="grid grid-cols-[minmax(0,1fr)] gap-1 py-4 wrap-anywhere sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="font-semibold">{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1 py-4 wrap-anywhere sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="font-semibold">Support</dt>
          <dd>
            <a href={`mailto:${supportEmail}`} className={textLinkClass}>
              {supportEmail}
            </a>{' '}
            or the <TextLink to="/contact-us">contact form</TextLink>
          </dd>
        </div>
      </dl>
    </InfoPage>
  )
}

/** Previews the promotional modal as the home page would show it. */
export function ModalPreviewPage() {
  return (
    <InfoPage
      title="Promotional modal"
      lead="A preview of the notice that visitors of the home page see once in a session."
    >
      <DataBoundary
        failed="The notice didn’t load"
        pending={<PendingShapes shapes={['h-14', 'h-11 w-40']} />}
      >
        <ModalPreview />
      </DataBoundary>
    </InfoPage>
  )
}

function ModalPreview() {
  const [homepage] = trpc.gallery.homepage.useSuspenseQuery(undefined, homepageOptions)
  const [isOpen, setOpen] = useState(homepage.modal_heading !== '')
  return (
    <>
      {homepage.modal_heading === '' ? (
        <Notice title="There is no notice yet">
          <p>Staff haven’t written its heading and description yet.</p>
        </Notice>
      ) : (
        <div className="flex flex-col items-start gap-6">
          <Notice kind={homepage.show_modal ? 'ok' : 'info'}>
            <p>
              {homepage.show_modal
                ? 'It is enabled: the home page shows it.'
                : 'It is not enabled: the home page does not show it.'}
            </p>
          </Notice>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            Show the notice
          </Button>
        </div>
      )}
      <PromoDialog homepage={homepage} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

type InfoPageProps = { title: string; lead: string; children: ReactNode }

/**
 * A text page: a heading and a one-sentence summary, which stay beside the sections on wide screens and above
 * them on narrow ones.
 */
export function InfoPage({ title, lead, children }: InfoPageProps) {
  return (
    <Container className="gap-18 pt-8 sm:pt-12 lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:pt-16">
      <PageTitle title={title} description={lead} />
      <div>
        <div className="lg:sticky lg:top-16">
          <h1 className="text-3xl font-semibold">{title}</h1>
          <p className="mt-4 max-w-prose text-lg text-muted">{lead}</p>
        </div>
      </div>
      <div className="flex flex-col gap-8 max-lg:mt-10">{children}</div>
    </Container>
  )
}

/** A section of such a page; `id` makes it a link target. */
export function InfoSection(props: { title: string; id?: string; children: ReactNode }) {
  return (
    <section
      id={props.id}
      className="scroll-mt-8 border-t border-line pt-8 lg:first:border-t-0 lg:first:pt-0"
    >
      <h2 className="text-xl font-semibold">{props.title}</h2>
      <div className="mt-3 flex max-w-prose flex-col gap-3 [&_ul]:flex [&_ul]:list-disc [&_ul]:flex-col [&_ul]:gap-1.5 [&_ul]:pl-5">
        {props.children}
      </div>
    </section>
  )
}
