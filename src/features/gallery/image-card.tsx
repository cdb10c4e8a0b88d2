import { CircleCheck, PencilLine, Trash2 } from 'lucide-react'
import { useStaffRole } from '#app/parts/role-gate.tsx'
import { SitePicture } from '#app/parts/site-picture.tsx'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { GalleryImage } from '#contract/gallery-staff.ts'
import { dateFormat } from '#contract/intl.ts'

type ImageCardProps = {
  image: GalleryImage
  /** It is the one on the homepage. */
  isShown: boolean
  isBusy: boolean
  /** This person may not publish; `reasonId` says why. */
  isBarred: boolean
  reasonId: string
  onShow: () => void
  onDescribe: () => void
  onRemove: () => void
}

function dayOf(at: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium' }).format(new Date(at))
}

/** What an image is called where it is not shown. */
export function nameOf(image: Pick<GalleryImage, 'alt' | 'uploadedAt'>): string {
  return image.alt === '' ? `image of ${dayOf(image.uploadedAt)}` : image.alt
}

/** One image of the gallery, with what can be done with it. */
export function ImageCard(props: ImageCardProps) {
  const { image, isShown, isBusy, isBarred, reasonId, onShow, onDescribe, onRemove } = props
  const role = useStaffRole()
  // An author looks after their own; the server says so too.
  const isTheirs = role !== 'author' || image.isMine
  const name = nameOf(image)
  return (
    <li className="flex flex-col overflow-hidden rounded-card border border-line bg-surface">
      <div className="relative aspect-8/5 bg-sunken">
        <SitePicture
          url={image.image_url}
          files={image.sizes}
          drawn="(min-width: 40rem) 18rem, 100vw"
          alt={image.alt}
          width={image.width}
          height={image.height}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      </div>
      <div className="flex flex-1 flex-col gap-3 p-3">
        <div className="flex flex-1 items-start gap-1">
          <div className="min-w-0 flex-1">
            <p className={image.alt === '' ? 'text-muted' : 'font-medium'}>
              {image.alt === '' ? 'Not described yet' : image.alt}
            </p>
            <p className="tabular mt-0.5 text-sm text-muted">
              {image.width} × {image.height}, {dayOf(image.uploadedAt)}
              {image.by !== null && `, ${image.by}`}
            </p>
          </div>
          {isTheirs && (
            <div className="-mt-2 -mr-2 flex shrink-0">
              <IconButton label={`Describe ${name}`} onClick={onDescribe}>
                <PencilLine aria-hidden="true" strokeWidth={1.75} className="size-5" />
              </IconButton>
              {!isShown && (
                <IconButton label={`Remove ${name}`} onClick={onRemove} className="-ml-1">
                  <Trash2 aria-hidden="true" strokeWidth={1.75} className="size-5" />
                </IconButton>
              )}
            </div>
          )}
        </div>
        {isShown ? (
          <p className="flex min-h-11 items-center justify-center gap-2 font-semibold text-ok">
            <CircleCheck aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
            On the homepage
          </p>
        ) : (
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={isBarred}
            aria-describedby={isBarred ? reasonId : undefined}
            onClick={onShow}
          >
            Set as Homepage<span className="sr-only">: {name}</span>
          </Button>
        )}
      </div>
    </li>
  )
}
