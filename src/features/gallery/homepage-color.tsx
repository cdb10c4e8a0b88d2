import { Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import {
  backgroundFor,
  contrastOf,
  INKS,
  linearLight,
  READABLE,
  textColorOn,
} from '#app/lib/text-contrast.ts'
import { SitePicture } from '#app/parts/homepage-content.tsx'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import {
  CssColor,
  type Homepage,
  type HomepageState,
  NAMED_COLORS,
  PublishColorInput,
} from '#contract/gallery.ts'
import {
  type Published,
  PublishResult,
  publishedOver,
  useBaseVersion,
  useInvalidateGallery,
} from './publish-homepage.tsx'

/** Suggested calm background colours that suit the page. */
const SUGGESTED_COLORS = ['white', 'beige', 'honeydew', 'azure', 'mistyrose', 'teal']

/** Typed text as `#rrggbb`; null if it is not a colour. */
function parseColor(typed: string): string | null {
  return CssColor.safeParse(typed).data ?? null
}

type ColorPartProps = {
  current: HomepageState
  /** Called with the colour being previewed; null for the published one. */
  onTry: (color: string | null) => void
  /** Id of the text explaining why this user may not publish. */
  reasonId: string
}

/** The colour behind the top of the home page. */
export function ColorPart({ current, onTry, reasonId }: ColorPartProps) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidateGallery()
  const isBarred = useStaffRefusal('publish') !== null
  const [published, setPublished] = useState<Published | null>(null)
  const [base, setBase] = useState(current)
  const form = useForm({
    blank: { color: current.color },
    schema: PublishColorInput,
    toInput: ({ color }) => ({ color, version: base.version }),
    send: async (input) => {
      setPublished(null)
      try {
        return await client.gallery.publishColor.mutate(input)
      } finally {
        // Also after an error: it may be due to somebody else's change, which must be shown.
        await invalidate()
      }
    },
    onSent: (now) => {
      setPublished(publishedOver(current, now, 'Homepage color updated!'))
      form.reset({ color: now.color })
      setBase(now)
      onTry(null)
    },
  })
  useBaseVersion(current, [base, setBase], {
    isClean: form.values.color === base.color,
    told: form.failure?.code === 'homepage_changed' ? form.attempts : 0,
    adopt: ({ color }) => form.reset({ color }),
  })
  const color = parseColor(form.values.color)
  const pick = (text: string) => {
    form.set('color', text)
    onTry(parseColor(text))
  }
  const disabledProps = { disabled: isBarred, 'aria-describedby': isBarred ? reasonId : undefined }
  return (
    <FormFrame
      form={form}
      label="Homepage colour"
      failureTitle="The colour was not set"
      className="gap-4!"
    >
      <div className="flex items-end gap-3">
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${form.id}-picker`} className="font-semibold">
            Colour
          </label>
          <input
            id={`${form.id}-picker`}
            type="color"
            value={color ?? current.color}
            onChange={({ target }) => pick(target.value)}
            {...disabledProps}
            className="h-11 w-16 cursor-pointer rounded-field border border-field bg-surface p-1 disabled:cursor-not-allowed"
          />
        </div>
        <div className="min-w-0 flex-1">
          <TextInput
            {...form.text('color')}
            label="Code or name"
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => pick(target.value)}
            disabled={isBarred}
            className="tabular"
          />
        </div>
      </div>
      <div role="group" aria-label="Suggested colours" className="-mx-1 flex flex-wrap">
        {SUGGESTED_COLORS.map((name) => (
          <button
            key={name}
            type="button"
            title={name}
            aria-label={name}
            aria-pressed={color === NAMED_COLORS.get(name)}
            disabled={isBarred}
            onClick={() => pick(NAMED_COLORS.get(name) ?? name)}
            className="group flex size-11 items-center justify-center rounded-full disabled:cursor-not-allowed"
          >
            <span
              style={{ backgroundColor: NAMED_COLORS.get(name) }}
              className="size-8 rounded-full border border-field group-aria-pressed:outline-3 group-aria-pressed:outline-offset-2 group-aria-pressed:outline-brand"
            />
          </button>
        ))}
      </div>
      <Button type="submit" isBusy={form.isBusy} {...disabledProps} className="self-start">
        Set Color
      </Button>
      <PublishResult published={published} />
    </FormFrame>
  )
}

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
  const { ink, isAmple } = textColorOn(color)
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

/** Paper and ink colours of the dark theme, as in `tokens.css`. */
const DARK = { paper: '#0f1614', ink: '#eef3f0' }

/** Share of the staff's colour that `backgroundFor` mixes into the paper. */
const TINT_SHARE = 0.07

type Triple = readonly [number, number, number]

const gamma = (value: number) =>
  value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

function multiply(matrix: readonly Triple[], [x, y, z]: Triple): Triple {
  const [a = 0, b = 0, c = 0] = matrix.map(([p, q, r]) => p * x + q * y + r * z)
  return [a, b, c]
}

// Björn Ottosson's matrices, which CSS Color 4 uses.
const TO_LMS: readonly Triple[] = [
  [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
  [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
  [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
]
const TO_LAB: readonly Triple[] = [
  [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
  [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
  [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
]
const FROM_LAB: readonly Triple[] = [
  [1, 0.396_337_777_4, 0.215_803_757_3],
  [1, -0.105_561_345_8, -0.063_854_172_8],
  [1, -0.089_484_177_5, -1.291_485_548],
]
const FROM_LMS: readonly Triple[] = [
  [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
  [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
  [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701],
]

function mapTriple([a, b, c]: Triple, change: (value: number) => number): Triple {
  return [change(a), change(b), change(c)]
}

function oklab(color: string): Triple {
  return multiply(TO_LAB, mapTriple(multiply(TO_LMS, linearLight(color)), Math.cbrt))
}

/** `color-mix(in oklab, one share, other)` of two `#rrggbb` colours. */
export function mixInOklab(one: string, other: string, share: number): string {
  const [l, a, b] = oklab(other)
  const [l2, a2, b2] = oklab(one)
  const mixed: Triple = [l + (l2 - l) * share, a + (a2 - a) * share, b + (b2 - b) * share]
  const rgb = mapTriple(
    multiply(
      FROM_LMS,
      mapTriple(multiply(FROM_LAB, mixed), (value) => value ** 3),
    ),
    gamma,
  )
  const hex = rgb.map((value) =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** Contrast of the homepage's text on a colour, in the light and dark themes: 1 to 21. */
export function contrastOn(color: string): { light: number; dark: number } {
  return {
    light: contrastOf(color, INKS[textColorOn(color).ink]),
    dark: contrastOf(mixInOklab(color, DARK.paper, TINT_SHARE), DARK.ink),
  }
}
