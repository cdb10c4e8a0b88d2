import { trpc } from '#app/trpc.ts'
import type { Homepage } from '#contract/gallery.ts'

const plain: Homepage = {
  image_url: null,
  color: '#ffffff',
  modal_image: null,
  show_modal: false,
  modal_heading: '',
  modal_description: '',
  image_alt: '',
  image_sizes: [],
  modal_sizes: [],
}

/** What came with the page is not asked for again; what was there before may be out of date. */
const FRESH_MS = 2_000

/** The homepage record as staff have it now: asked again with each visit and each return to the tab. */
export const homepageOptions = { staleTime: FRESH_MS, refetchOnWindowFocus: 'always' } as const

/** The homepage record; a plain white page stands in until it comes, and if it never does. */
export function useHomepage(): { homepage: Homepage; isPending: boolean } {
  const { data, isPending } = trpc.gallery.homepage.useQuery(undefined, homepageOptions)
  return { homepage: data ?? plain, isPending }
}
