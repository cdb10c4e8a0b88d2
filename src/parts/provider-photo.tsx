import { cx } from '#app/lib/cx.ts'

const sizes = {
  small: { pixels: 56, className: 'size-14 text-lg' },
  medium: { pixels: 80, className: 'size-20 text-2xl' },
  large: { pixels: 128, className: 'size-24 text-3xl sm:size-32' },
}

type ProviderPhotoProps = {
  name: string
  photo: string | null
  size?: keyof typeof sizes
  /** Above the fold: loaded eagerly. */
  isEager?: boolean
}

function initials(name: string): string {
  const words = name.replace(/^(Dr|Mr|Mrs|Ms|Miss|Prof)\.?\s+/, '').split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0] ?? '').join('')
}

/** A provider's picture, or a monogram. Hidden from screen readers, as the name is always beside it. */
export function ProviderPhoto({ name, photo, size = 'medium', isEager }: ProviderPhotoProps) {
  const { pixels, className } = sizes[size]
  const shape = cx(className, 'shrink-0 rounded-card bg-tint object-cover')
  if (photo === null) {
    return (
      <span
        aria-hidden="true"
        className={cx(shape, 'flex items-center justify-center font-display text-brand-deep')}
      >
        {initials(name)}
      </span>
    )
  }
  return (
    <img
      src={photo}
      alt=""
      width={pixels}
      height={pixels}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      className={shape}
    />
  )
}
