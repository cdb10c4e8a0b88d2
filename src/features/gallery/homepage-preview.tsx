import { Moon, Sun } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { backgroundFor, inkOn, READABLE } from '#app/lib/ink-on.ts'
import { SitePicture } from '#app/parts/site-picture.tsx'
import type { Homepage } from '#contract/gallery.ts'
import { numberFormat } from '#contract/intl.ts'
import { contrastOn } from './contrast.ts'

type PreviewProps = {
  homepage: Homepage
  /** The colour being previewed; null for the published one. */
  tried: string | null
}

const inkClasses = {
  dark: 'text-ink',
  light: 'text-[light-dark(#ffffff,var(--ink))]',
  black: 'text-[light-dark(#000000,var(--ink))]',
}

/** Small preview of the top of the homepage, in the light and dark themes. */
export function HomepagePreview({ homepage, tried }: PreviewProps) {
  const color = tried ?? homepage.color
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(['light', 'dark'] as const).map((scheme) => (
        <Miniature key={scheme} scheme={scheme} homepage={homepage} color={color} />
      ))}
    </div>
  )
}

type MiniatureProps = { scheme: 'light' | 'dark'; homepage: Homepage; color: string }

function Miniature({ scheme, homepage, color }: MiniatureProps) {
  const { ink, isAmple } = inkOn(color)
  const Icon = scheme === 'light' ? Sun : Moon
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <div
        data-scheme={scheme}
        style={{ backgroundColor: backgroundFor(color) }}
        className={cx(
          'grid flex-1 grid-cols-[1.1fr_0.9fr] items-center gap-x-4 gap-y-3 overflow-hidden rounded-field border border-line p-4 transition-colors duration-200',
          inkClasses[ink],
        )}
      >
        <div>
          <p className="font-display text-base/5 font-medium">
            Find a doctor or dentist near you, and see when they are free
          </p>
          <p className={cx('mt-1.5 text-[0.625rem]/4', isAmple && 'opacity-85')}>
            Real times from their own calendars.
          </p>
        </div>
        <div className="aspect-8/5 w-full overflow-hidden rounded-field bg-sunken">
          {homepage.image_url && (
            <SitePicture
              url={homepage.image_url}
              files={homepage.image_sizes}
              sizes="14rem"
              alt={homepage.image_alt || 'The current homepage image'}
              className="size-full object-cover"
            />
          )}
        </div>
        <div
          aria-hidden="true"
          className="col-span-2 flex gap-2 rounded-field border border-line bg-surface p-2"
        >
          <span className="h-5 flex-2 rounded-full bg-sunken" />
          <span className="h-5 flex-1 rounded-full bg-sunken" />
          <span className="h-5 w-12 rounded-full bg-brand" />
        </div>
      </div>
      <figcaption className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <ContrastNote scheme={scheme} color={color} />
      </figcaption>
    </figure>
  )
}

const digits = { maximumFractionDigits: 1, minimumFractionDigits: 1 }

/** The text colour with the best contrast is chosen automatically, so this says how readable it is. */
function ContrastNote({ scheme, color }: { scheme: 'light' | 'dark'; color: string }) {
  const contrast = contrastOn(color)[scheme]
  const how = contrast >= 7 ? 'reads very well' : 'reads well'
  return (
    <span>
      {scheme === 'light' ? 'Light' : 'Dark'}: the text{' '}
      {contrast >= READABLE ? how : 'is hard to read'},{' '}
      <span className="tabular">{numberFormat('en-GB', digits).format(contrast)} : 1</span>
    </span>
  )
}
