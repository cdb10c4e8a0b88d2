import * as z from 'zod/mini'
import { HOMEPAGE_ID, Homepage } from '#contract/gallery.ts'
import { AppError } from '#server/kernel/errors.ts'
import { noBody, noQuery, type RestCall, restCall } from './call.ts'
import { OK } from './fields.ts'

const room = 'Homepage'

/** There is one record, under one fixed id. */
function assertHomepage(id: string | undefined): void {
  if (id !== HOMEPAGE_ID) throw new AppError('not_found')
}

const read = restCall({
  method: 'GET',
  path: '/homepage-image/{id}/',
  room,
  title: 'Read the homepage',
  about: `Its picture, colour and modal. The id is always ${HOMEPAGE_ID}.`,
  procedures: ['gallery.homepage'],
  cache: 'no-cache',
  example: {
    params: { id: HOMEPAGE_ID },
    answer: {
      status: true,
      image_url: '/media/….webp',
      color: '#ffffff',
      modal_image: null,
      show_modal: false,
      modal_heading: '',
      modal_description: '',
    },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ status: z.literal(true), ...Homepage.shape }),
  run: async ({ caller, params }) => {
    assertHomepage(params['id'])
    return { ...OK, ...(await caller.gallery.homepage({})) }
  },
})

/** What the homepage shows. */
export const homepageCalls: readonly RestCall[] = [read]
