import { useState } from 'react'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { Gallery, GalleryImage, HomepageState } from '#contract/gallery-staff.ts'
import { DescribeDialog, ImageCard, RemoveDialog } from './image-card.tsx'
import { Said } from './said.tsx'
import { usePublishing } from './use-gallery.ts'

type ImagesPartProps = { gallery: Gallery; current: HomepageState; reasonId: string }

type Open = { what: 'describe' | 'remove'; image: GalleryImage } | null

/** The gallery's images, one of which is shown on the homepage. */
export function ImagesPart({ gallery: { images }, current, reasonId }: ImagesPartProps) {
  const isBarred = useWhyNot('publish') !== null
  const [open, setOpen] = useState<Open>(null)
  const [wished, setWished] = useState<string | null>(null)
  const { publish, isBusy, published, failure } = usePublishing(current)
  const close = () => setOpen(null)
  if (images.length === 0) {
    return (
      <EmptyState title="No images found." level={3}>
        <p>Add one, and choose it for the homepage.</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <Said published={published} failure={failure} failureTitle="Your change wasn’t made" />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4">
        {images.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            isShown={image.image_url === current.image_url}
            isBusy={isBusy && wished === image.id}
            isBarred={isBarred}
            reasonId={reasonId}
            onShow={() => {
              setWished(image.id)
              publish('Homepage image updated!', (client, version) =>
                client.gallery.publishImage.mutate({ image_url: image.image_url, version }),
              )
            }}
            onDescribe={() => setOpen({ what: 'describe', image })}
            onRemove={() => setOpen({ what: 'remove', image })}
          />
        ))}
      </ul>
      {open?.what === 'describe' && <DescribeDialog image={open.image} onClose={close} />}
      {open?.what === 'remove' && <RemoveDialog image={open.image} onClose={close} />}
    </div>
  )
}
