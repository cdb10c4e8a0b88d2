import { useQuery } from '@tanstack/react-query'
import { useTrpc } from '#app/trpc.ts'
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

/** The homepage record; a plain white page stands in until it comes, and if it never does. */
export function useHomepage(): { homepage: Homepage; isPending: boolean } {
  const { data, isPending } = useQuery(useTrpc().gallery.homepage.queryOptions())
  return { homepage: data ?? plain, isPending }
}
