import { useNavigate } from '@tanstack/react-router'
import { cx } from '#app/lib/cx.ts'
import { backgroundFor, inkOn } from '#app/lib/ink-on.ts'
import { selectRegion, useSelectedRegion } from '#app/lib/selected-region.ts'
import { SearchBox, type SearchValues } from '#app/parts/search-box.tsx'
import { SitePicture } from '#app/parts/site-picture.tsx'
import { Container } from '#app/ui/card.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import { useHomepage } from './use-homepage.ts'

const regions = [
  { value: 'uk', label: 'UK' },
  { value: 'usa', label: 'USA' },
] as const

const blank: SearchValues = {
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
        initial={blank}
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
export function Hero() {
  const { color } = useHomepage().homepage
  const { ink, isAmple } = inkOn(color)
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
