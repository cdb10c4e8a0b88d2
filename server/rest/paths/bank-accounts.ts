import * as z from 'zod/mini'
import { BankAccountId } from '#contract/base/ids.ts'
import { Region } from '#contract/base/region.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Caller,
  noBody,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Bank accounts'

const query = { providerRegion: z.optional(Region) }

/** The provider's stored region decides; another region has no accounts. */
async function listOf(caller: Caller, region: Region | undefined) {
  const list = await caller.bankAccounts.list({})
  if ((region ?? list.region) !== list.region) throw new AppError('not_found')
  return list.accounts
}

const LISTED = 'Bank accounts of the provider'

const list = restCall({
  method: 'GET',
  path: '/provider/provider-bank-details/{id}/',
  room,
  title: 'List your bank accounts',
  about: 'A provider’s own, the primary one first. Numbers are always masked.',
  procedures: ['bankAccounts.list'],
  own: { param: 'id', is: 'provider' },
  example: {
    as: 'provider',
    params: { id: '$PROVIDER' },
    query: { providerRegion: 'uk' },
    keep: { ACCOUNT: '_id' },
    answer: {
      status: true,
      message: LISTED,
      Bank_details: [
        { _id: 'bnk_…', account_number: '••••5926', name: 'Dr Amara Okafor', is_primary: true },
      ],
    },
  },
  query: z.strictObject(query),
  body: noBody,
  answer: z.object({
    ...okFields,
    Bank_details: z.array(
      z.object({
        _id: BankAccountId,
        account_number: z.string(),
        name: z.string(),
        is_primary: z.boolean(),
        bank_code: z.string(),
      }),
    ),
  }),
  run: async ({ caller, query: { providerRegion } }) => {
    const accounts = await listOf(caller, providerRegion)
    const details = accounts.map(({ id, ...account }) => ({ _id: id, ...account }))
    return { ...okMessage(LISTED), Bank_details: details }
  },
})

const WHICH = 'Which item? Send its id.'
const uniqueId = z.optional(z.string({ error: WHICH }).check(z.maxLength(80)))

const REMOVED = 'The account was deleted.'

const remove = restCall({
  method: 'DELETE',
  path: '/provider/provider-bank-details/{providerId}/',
  room,
  title: 'Delete a bank account',
  about:
    '`unique_id` in the body, or in the query where DELETE bodies are dropped. Requires that you have proved your identity within the last five minutes: signing in counts. The last account cannot be deleted.',
  procedures: ['bankAccounts.remove', 'bankAccounts.list'],
  refusals: ['step_up_required', 'bank_account_last', 'bank_account_not_found'],
  words: ['message'],
  own: { param: 'providerId', is: 'provider' },
  isComposite: true,
  example: {
    as: 'provider',
    params: { providerId: '$PROVIDER' },
    query: { providerRegion: 'uk' },
    body: { unique_id: '$ACCOUNT' },
    answer: { status: true, message: REMOVED },
  },
  query: z.strictObject({ ...query, unique_id: uniqueId }),
  body: { json: z.strictObject({ unique_id: uniqueId }) },
  answer: z.object(okFields),
  run: async ({ caller, query: asked, body }) => {
    const named = body.unique_id ?? asked.unique_id
    if (named === undefined) {
      const issues = [{ path: 'unique_id', message: WHICH }]
      throw new AppError('invalid_input', {}, { issues })
    }
    await listOf(caller, asked.providerRegion)
    await caller.bankAccounts.remove({ id: parseId(BankAccountId, named) })
    return { ...okMessage(REMOVED) }
  },
})

/** Bank accounts for payouts to providers. */
export const bankAccountCalls: readonly RestCall[] = [list, remove]
