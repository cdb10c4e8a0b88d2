import { trpc } from '#app/trpc.ts'
import type { Homepage } from '#contract/gallery.ts'

const defaultHomepage: Homepage = {
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

/** Milliseconds. Long enough not to refetch what came with the page; anything older may be out of date. */
const FRESH_MS = 2_000

/** The current homepage record: refetched on each visit and each return to the tab. */
export const homepageOptions = { staleTime: FRESH_MS, refetchOnWindowFocus: 'always' } as const

/** The homepage record; defaults to a plain white page until it loads, or if it fails to. */
export function useHomepage(): { homepage: Homepage; isPending: boolean } {
  const { data, isPending } = trpc.gallery.homepage.useQuery(undefined, homepageOptions)
  return { homepage: data ?? defaultHomepage, isPending }
}
