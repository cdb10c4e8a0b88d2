import { Done, EmptyInput } from '#contract/auth.ts'
import {
  AddBankAccountInput,
  BankAccount,
  BankAccountRef,
  BankAccounts,
  EditBankAccountInput,
} from '#contract/bank-accounts.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import {
  addBankAccount,
  editBankAccount,
  listBankAccounts,
  makePrimary,
  removeBankAccount,
} from './bank-accounts.ts'

export const bankAccountsRouter = router({
  add: sessionProcedure
    .input(AddBankAccountInput)
    .output(BankAccount)
    .mutation(({ ctx, input }) => addBankAccount(ctx, input)),
  edit: sessionProcedure
    .input(EditBankAccountInput)
    .output(BankAccount)
    .mutation(({ ctx, input }) => editBankAccount(ctx, input)),
  list: sessionProcedure
    .input(EmptyInput)
    .output(BankAccounts)
    .query(({ ctx }) => listBankAccounts(ctx)),
  makePrimary: sessionProcedure
    .input(BankAccountRef)
    .output(Done)
    .mutation(({ ctx, input }) => makePrimary(ctx, input)),
  remove: sessionProcedure
    .input(BankAccountRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeBankAccount(ctx, input)),
})
