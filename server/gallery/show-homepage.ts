import type { Homepage, ImageSize } from '#contract/gallery.ts'
import type { Db } from '#db/engine.ts'
import type { HomepageRow } from '#db/tables/gallery.ts'
import { getHomepage, listByUrl, listFiles } from './store.ts'

type Shown = { alt: string; sizes: ImageSize[] }
type Content = Omit<HomepageRow, 'id' | 'updated_at' | 'version'>

/** The sizes of images as sent to clients, by the numbers of their rows. */
export async function readSizes(db: Db, imageNos: number[]): Promise<Map<number, ImageSize[]>> {
  const files = await listFiles(db, imageNos)
  const byImage = Map.groupBy(files, (file) => file.image_no)
  return new Map(
    [...byImage].map(([no, sizes]) => [
      no,
      sizes.map(({ path, width, height }) => ({ image_url: path, width, height })),
    ]),
  )
}

async function readShown(db: Db, contents: readonly Content[]): Promise<Map<string, Shown>> {
  const urls = contents.flatMap(({ image_url, modal_image }) => [image_url, modal_image])
  const images = await listByUrl(db, [...new Set(urls.filter((url) => url !== null))])
  const sizes = await readSizes(
    db,
    images.map(({ no }) => no),
  )
  const shown = new Map<string, Shown>()
  for (const { no, image_url: url, alt } of images) {
    // The gallery and the modal may each have the same picture.
    const other = shown.get(url)
    shown.set(url, { alt: alt === '' ? (other?.alt ?? '') : alt, sizes: sizes.get(no) ?? [] })
  }
  return shown
}

function describe(content: Content, shown: ReadonlyMap<string, Shown>): Homepage {
  const { image_url, color, modal_image, show_modal, modal_heading, modal_description } = content
  const image = shown.get(image_url ?? '')
  return {
    image_url,
    color,
    modal_image,
    show_modal: show_modal === 1,
    modal_heading,
    modal_description,
    image_alt: image?.alt ?? '',
    image_sizes: image?.sizes ?? [],
    modal_sizes: shown.get(modal_image ?? '')?.sizes ?? [],
  }
}

/** Homepage records as sent to clients, each with the sizes of its pictures, in the given order. */
export async function showHomepages(db: Db, contents: readonly Content[]): Promise<Homepage[]> {
  const shown = await readShown(db, contents)
  return contents.map((content) => describe(content, shown))
}

/** The public homepage. */
export async function showHomepage(db: Db): Promise<Homepage> {
  const record = await getHomepage(db)
  return describe(record, await readShown(db, [record]))
}
