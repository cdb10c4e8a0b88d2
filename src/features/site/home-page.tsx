import { ClientOnly, useNavigate } from '@tanstack/react-router'
import { BadgeCheck, CalendarClock, ListOrdered } from 'lucide-react'
import { useState } from 'react'
import { useBannerWanted } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { backgroundFor, textColorOn } from '#app/lib/text-contrast.ts'
import { selectRegion, useSelectedRegion } from '#app/lib/visitor-place.ts'
import { PromoDialog, SitePicture } from '#app/parts/homepage-content.tsx'
import { SearchBox, type SearchValues } from '#app/parts/search-box.tsx'
import { TextLink } from '#app/ui/button.tsx'
import { RadioCards } from '#app/ui/fields.tsx'
import { Container, PageTitle } from '#app/ui/page.tsx'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import { PopularSpecialties } from './popular-specialties.tsx'
import { useHomepage } from './use-homepage.ts'

/** `/home`: search first, then what to expect. */
export function HomePage() {
  return (
    <>
      <PageTitle
        title="Apposite: find a doctor or dentist near you"
        description="Find a doctor or dentist near a postcode or ZIP code, see when they’re free, book and pay."
      />
      <Hero />
      <Container className="flex flex-col gap-18 pt-12 sm:pt-18">
        <PopularSpecialties />
        <HowItWorks />
        <TrustPoints />
      </Container>
      {/* Only the browser knows whether it was seen before. */}
      <ClientOnly>
        <PromoModal />
      </ClientOnly>
    </>
  )
}

const steps = [
  {
    title: 'Tell us where and what',
    text: 'A postcode, a ZIP code or a town, the specialty, and how far you’d travel.',
  },
  {
    title: 'Compare real times and fees',
    text: 'See who is near, what a visit costs and when they are next free, in a list or on a map.',
  },
  {
    title: 'Book and pay',
    text: 'We hold the time for you while you tell us why you’re coming and pay, by card or with PayPal.',
  },
]

/** How it works, in three steps. */
function HowItWorks() {
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="text-2xl font-semibold">
        How it works
      </h2>
      <ol className="mt-6 grid gap-8 md:grid-cols-3">
        {steps.map((step, at) => (
          <li key={step.title} className="border-t-2 border-brand pt-4">
            <span aria-hidden="true" className="tabular font-semibold text-brand">
              {at + 1}
            </span>
            <h3 className="mt-1 text-lg font-semibold">{step.title}</h3>
            <p className="mt-1 text-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

const promises = [
  {
    icon: BadgeCheck,
    title: 'Checked against the register',
    text: 'We only list providers whose GMC, GDC or NPI registration we’ve checked. Each profile says when.',
    anchor: 'verification',
    more: 'Who is listed',
  },
  {
    icon: CalendarClock,
    title: 'Times that are really free',
    text: 'They come from the provider’s own calendar, shown in the clinic’s local time.',
    anchor: undefined,
    more: undefined,
  },
  {
    icon: ListOrdered,
    title: 'Nobody pays to rank higher',
    text: 'Results appear in the order you choose: nearest, soonest, or by fee.',
    anchor: 'ranking',
    more: 'How results are ordered',
  },
] as const

/** Why the results can be trusted. */
function TrustPoints() {
  return (
    <section aria-labelledby="trust">
      <h2 id="trust" className="text-2xl font-semibold">
        Why you can rely on it
      </h2>
      <ul className="mt-6 grid gap-8 md:grid-cols-3">
        {promises.map(({ icon: Icon, title, text, anchor, more }) => (
          <li key={title}>
            <Icon aria-hidden="true" className="size-7 text-brand" />
            <h3 className="mt-3 text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
            {anchor && (
              <TextLink
                to="/about-us"
                hash={anchor}
                className="mt-2 inline-flex min-h-8 items-center"
              >
                {more}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SEEN_KEY = 'promotionSeen'

/**
 * Shows a promotion on the home page, once per browser session, if staff have enabled it. It waits until the
 * cookie banner is answered, so that only one thing at a time asks for attention.
 */
function PromoModal() {
  const { homepage } = useHomepage()
  const [seen, setSeen] = useState(() => readStored(SEEN_KEY, 'session'))
  // Once staff change the words, it counts as another promotion.
  const words = `${homepage.modal_heading}\n${homepage.modal_description}`
  const close = () => {
    writeStored(SEEN_KEY, words, 'session')
    setSeen(words)
  }
  const isAsking = useBannerWanted()
  const isOpen = homepage.show_modal && seen !== words && !isAsking
  return <PromoDialog homepage={homepage} isOpen={isOpen} onClose={close} />
}

const regions = [
  { value: 'uk', label: 'UK' },
  { value: 'usa', label: 'USA' },
] as const

const blankSearch: SearchValues = {
  postcode: '',
  specialty: undefined,
  radius: DEFAULT_RADIUS,
  distance_filter_clicked: false,
}

/** Its displayed width in the layout below: a column beside the text, or full width on phones. */
const PICTURE_SIZES = '(min-width: 75rem) 31rem, (min-width: 48rem) 40vw, calc(100vw - 2rem)'

/** Its space is reserved from the start, so that nothing moves when it loads. */
function HeroPicture() {
  const { homepage, isPending } = useHomepage()
  if (homepage.image_url === null && !isPending) return null
  return (
    <div className="aspect-8/5 w-full overflow-hidden rounded-card max-md:order-3 dark:brightness-90">
      {homepage.image_url && (
        <SitePicture
          url={homepage.image_url}
          files={homepage.image_sizes}
          sizes={PICTURE_SIZES}
          alt={homepage.image_alt}
          width={1600}
          height={1000}
          decoding="async"
          className="size-full object-cover"
        />
      )}
    </div>
  )
}

function HeroSearch() {
  const region = useSelectedRegion()
  const navigate = useNavigate()
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 text-ink shadow-float sm:p-6 md:col-span-2">
      <RadioCards
        name="region"
        legend="Region"
        isCompact
        isLegendHidden
        choices={regions}
        value={region}
        onChange={selectRegion}
      />
      <SearchBox
        region={region}
        initial={blankSearch}
        onRegion={selectRegion}
        onSearch={({ postcode, specialty, radius, distance_filter_clicked }) =>
          void navigate({
            to: '/results',
            search: {
              selectedRegion: region,
              postcode,
              ...(specialty && { specialty }),
              ...(distance_filter_clicked && { radius, distance_filter_clicked }),
            },
          })
        }
      />
    </div>
  )
}

/**
 * The background colour set by staff, as an SVG: the content security policy forbids inline styles in
 * server-rendered pages.
 */
function BackgroundColor({ color }: { color: string }) {
  return (
    <svg aria-hidden="true" className="absolute inset-0 -z-10 size-full forced-colors:hidden">
      <rect
        width="100%"
        height="100%"
        fill={backgroundFor(color)}
        className="transition-[fill] duration-200"
      />
    </svg>
  )
}

/** The top of the home page: the promise, the search, the staff's picture and colour. */
function Hero() {
  const { color } = useHomepage().homepage
  const { ink, isAmple } = textColorOn(color)
  return (
    <section
      className="relative isolate border-b border-line data-[ink=black]:text-[light-dark(#000000,var(--ink))] data-[ink=light]:text-[light-dark(#ffffff,var(--ink))]"
      data-ink={ink}
    >
      <BackgroundColor color={color} />
      <Container className="grid items-center gap-8 py-8 sm:py-12 md:grid-cols-[1.2fr_0.8fr] lg:grid-cols-[1.1fr_0.9fr] lg:gap-12">
        <div>
          <h1 className="font-display text-3xl font-medium tracking-tight lg:text-4xl">
            Find a doctor or dentist near you, and see when they are free
          </h1>
          <p className={cx('mt-4 max-w-prose text-lg', isAmple && 'opacity-85')}>
            Real times from their own calendars. Every provider checked against the professional
            register.
          </p>
        </div>
        <HeroPicture />
        <HeroSearch />
      </Container>
    </section>
  )
}
