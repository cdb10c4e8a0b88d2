import {
  AddBankAccountInput,
  BankAccount,
  BankAccountRef,
  BankAccounts,
  EditBankAccountInput,
} from '#contract/bank-accounts.ts'
import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { providerProcedure, router } from '#server/trpc.ts'
import {
  addBankAccount,
  editBankAccount,
  listBankAccounts,
  makePrimary,
  removeBankAccount,
} from './bank-accounts.ts'

export const bankAccountsRouter = router({
  add: providerProcedure
    .meta({ stepUp: 'always' })
    .input(AddBankAccountInput)
    .output(BankAccount)
    .mutation(({ ctx, input }) => addBankAccount(ctx, input)),
  edit: providerProcedure
    .meta({ stepUp: 'always' })
    .input(EditBankAccountInput)
    .output(BankAccount)
    .mutation(({ ctx, input }) => editBankAccount(ctx, input)),
  list: providerProcedure
    .input(EmptyInput)
    .output(BankAccounts)
    .query(({ ctx }) => listBankAccounts(ctx)),
  makePrimary: providerProcedure
    .meta({ stepUp: 'always' })
    .input(BankAccountRef)
    .output(Done)
    .mutation(({ ctx, input }) => makePrimary(ctx, input)),
  remove: providerProcedure
    .meta({ stepUp: 'always' })
    .input(BankAccountRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeBankAccount(ctx, input)),
})
