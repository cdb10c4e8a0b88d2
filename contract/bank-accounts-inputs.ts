import * as z from 'zod/mini'
import { addInputs, editInputs } from './bank-accounts.ts'

// Apart from the rest of the room: what chooses between regions weighs half a kilobyte, and the first
// page would carry it for everybody.

/** Input of `bankAccounts.add`; the region is the provider's own. */
export const AddBankAccountInput = z.discriminatedUnion('region', [addInputs.uk, addInputs.usa])

/** Input of `bankAccounts.edit`. */
export const EditBankAccountInput = z.discriminatedUnion('region', [editInputs.uk, editInputs.usa])
