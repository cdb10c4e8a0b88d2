import { Done, Nothing } from '#contract/auth.ts'
import {
  AddRowsAnswer,
  AddRowsInput,
  CheckRowsAnswer,
  CheckRowsInput,
  ImportRef,
  Imports,
} from '#contract/imports.ts'
import { providerProcedure, router } from '#server/trpc.ts'
import { checkRows, importRows, readImports, removeImport } from './import-rows.ts'

export const importsRouter = router({
  add: providerProcedure
    .input(AddRowsInput)
    .output(AddRowsAnswer)
    .mutation(({ ctx, input }) => importRows(ctx, input)),
  check: providerProcedure
    .input(CheckRowsInput)
    .output(CheckRowsAnswer)
    .mutation(({ ctx, input }) => checkRows(ctx, input)),
  list: providerProcedure
    .input(Nothing)
    .output(Imports)
    .query(({ ctx }) => readImports(ctx)),
  remove: providerProcedure
    .input(ImportRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeImport(ctx, input)),
})
