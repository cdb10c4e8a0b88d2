import * as z from 'zod/mini'
import { PlaceId, ProviderId, VisitTypeId } from '#contract/base/ids.ts'
import { Currency } from '#contract/base/money.ts'
import { OrderVisitTypesInput, OwnVisitType, SaveVisitTypeInput } from '#contract/profiles-own.ts'
import { type OfferedVisitType, VisitMode } from '#contract/search.ts'
import {
  Amount,
  majorText,
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Visit types'

const Offered = z.object({
  _id: VisitTypeId,
  name: z.string(),
  /** Minutes. */
  consultationTime: z.int(),
  /** Fee for a new patient. */
  amount: Amount,
  /** Fee for a follow-up. */
  follow_amount: Amount,
  currency: Currency,
  modes: z.array(VisitMode),
  /** Name of the only practice location that offers it; null for every location. */
  hospital_name: z.nullable(z.string()),
})

function offeredOf(type: OfferedVisitType): z.input<typeof Offered> {
  return {
    _id: type.id,
    name: type.name,
    consultationTime: type.minutes,
    amount: majorText(type.fee),
    follow_amount: majorText(type.followUpFee),
    currency: type.fee.currency,
    modes: type.modes,
    hospital_name: type.place,
  }
}

const list = restCall({
  method: 'GET',
  path: '/api/doctors/{id}/visit-types/',
  room,
  source: 'added',
  title: 'List a doctor’s visit types',
  about:
    'In the doctor’s order; the first is the one that the search and “Read a doctor” show. Send its `_id` as `visit_type` to check, hold or pay for a time of another one.',
  procedures: ['profiles.visitTypes'],
  refusals: ['provider_not_found'],
  example: {
    params: { id: '$PROVIDER' },
    answer: { status: true, visit_types: [{ _id: 'vtp_…', name: 'Consultation' }] },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ status: z.literal(true), visit_types: z.array(Offered) }),
  run: async ({ caller, params }) => {
    const providerId = parseId(ProviderId, params['id'])
    const types = await caller.profiles.visitTypes({ providerId })
    return { ...OK, visit_types: types.map(offeredOf) }
  },
})

const Own = z.object({
  _id: VisitTypeId,
  name: OwnVisitType.shape.name,
  minutes: OwnVisitType.shape.minutes,
  amount: OwnVisitType.shape.amount,
  follow_amount: OwnVisitType.shape.follow_amount,
  mode: OwnVisitType.shape.mode,
  place_id: z.nullable(PlaceId),
  is_archived: z.boolean(),
})

const ownAnswer = z.object({ ...okFields, visit_types: z.array(Own) })

function ownTypes({ visitTypes }: { visitTypes: OwnVisitType[] }): z.input<typeof Own>[] {
  return visitTypes.map(({ id, placeId, isArchived, ...type }) => {
    return { ...type, _id: id, place_id: placeId, is_archived: isArchived }
  })
}

const { name, minutes, amount, follow_amount, mode, placeId } = SaveVisitTypeInput.shape
/** Fees in pence or cents, as at registration. */
const Fields = z.strictObject({
  name,
  minutes,
  amount,
  follow_amount,
  mode,
  place_id: z._default(placeId, null),
})

const example = {
  name: 'Check-up of a new patient',
  minutes: 40,
  amount: 9_000,
  follow_amount: 9_000,
  mode: 'in_person',
}

const shown = { status: true, visit_types: [{ _id: 'vtp_…', name: example.name }] }

const add = restCall({
  method: 'POST',
  path: '/provider/visit-types/',
  room,
  source: 'added',
  title: 'Add a visit type',
  about:
    'Patients choose among your types before a time; a longer one takes several of your slots in a row. Fees are in pence or cents, `mode` is in_person, video or both, `place_id` the only place where it is offered. If it is the shortest, your free times are regenerated with its length.',
  procedures: ['profiles.saveVisitType'],
  refusals: ['too_many_visit_types', 'not_found', 'invalid_input'],
  words: ['message'],
  example: { as: 'provider', body: example, answer: { ...shown, message: 'Added.' } },
  query: noQuery,
  body: { json: Fields },
  answer: ownAnswer,
  run: async ({ caller, body: { place_id: at, ...fields } }) => {
    const own = await caller.profiles.saveVisitType({ ...fields, placeId: at })
    return { ...okMessage('Added.'), visit_types: ownTypes(own) }
  },
})

const change = restCall({
  method: 'PATCH',
  path: '/provider/visit-types/{id}/',
  room,
  source: 'added',
  title: 'Change a visit type',
  about:
    'Send all fields. Held and booked visits keep their name, length and price. The first type is offered at every place, because the search shows it.',
  procedures: ['profiles.saveVisitType'],
  refusals: ['not_found', 'visit_type_unfit', 'invalid_input'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: 'vtp_00000000000000000000000000' },
    isForReading: true,
    body: example,
    answer: { ...shown, message: 'Changed.' },
  },
  query: noQuery,
  body: { json: Fields },
  answer: ownAnswer,
  run: async ({ caller, params, body: { place_id: at, ...fields } }) => {
    const typeId = parseId(VisitTypeId, params['id'])
    const own = await caller.profiles.saveVisitType({ ...fields, typeId, placeId: at })
    return { ...okMessage('Changed.'), visit_types: ownTypes(own) }
  },
})

const order = restCall({
  method: 'PATCH',
  path: '/provider/visit-types/',
  room,
  source: 'added',
  title: 'Put your visit types in order',
  about: 'All that are not archived; the search shows the first one, with its price and times.',
  procedures: ['profiles.orderVisitTypes'],
  refusals: ['changed_meanwhile', 'visit_type_unfit'],
  words: ['message'],
  example: {
    as: 'provider',
    isForReading: true,
    body: { order: ['vtp_00000000000000000000000000'] },
    answer: { ...shown, message: 'Ordered.' },
  },
  query: noQuery,
  body: { json: z.strictObject({ order: OrderVisitTypesInput.shape.typeIds }) },
  answer: ownAnswer,
  run: async ({ caller, body }) => {
    const own = await caller.profiles.orderVisitTypes({ typeIds: body.order })
    return { ...okMessage('Ordered.'), visit_types: ownTypes(own) }
  },
})

const archive = restCall({
  method: 'DELETE',
  path: '/provider/visit-types/{id}/',
  room,
  source: 'added',
  title: 'Archive a visit type',
  about: 'It can no longer be booked; booked visits stay. The last one cannot be archived.',
  procedures: ['profiles.archiveVisitType'],
  refusals: ['not_found', 'last_visit_type', 'visit_type_unfit'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: 'vtp_00000000000000000000000000' },
    isForReading: true,
    answer: { ...shown, message: 'Archived.' },
  },
  query: noQuery,
  body: noBody,
  answer: ownAnswer,
  run: async ({ caller, params }) => {
    const typeId = parseId(VisitTypeId, params['id'])
    const own = await caller.profiles.archiveVisitType({ typeId, isArchived: true })
    return { ...okMessage('Archived.'), visit_types: ownTypes(own) }
  },
})

const restore = restCall({
  method: 'POST',
  path: '/provider/visit-types/{id}/restore/',
  room,
  source: 'added',
  title: 'Offer an archived visit type again',
  about: 'It becomes the last of your types.',
  procedures: ['profiles.archiveVisitType'],
  refusals: ['not_found', 'too_many_visit_types'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: 'vtp_00000000000000000000000000' },
    isForReading: true,
    answer: { ...shown, message: 'Offered again.' },
  },
  query: noQuery,
  body: noBody,
  answer: ownAnswer,
  run: async ({ caller, params }) => {
    const typeId = parseId(VisitTypeId, params['id'])
    const own = await caller.profiles.archiveVisitType({ typeId, isArchived: false })
    return { ...okMessage('Offered again.'), visit_types: ownTypes(own) }
  },
})

/** Visit types: list them and, for providers, add, change, order and archive them. */
export const visitTypeCalls: readonly RestCall[] = [list, add, change, order, archive, restore]
