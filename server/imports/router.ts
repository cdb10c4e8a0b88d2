import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  AddRowsInput,
  AddRowsResponse,
  CheckRowsInput,
  CheckRowsResponse,
  ImportRef,
  Imports,
} from '#contract/imports.ts'
import { providerProcedure, router } from '#server/trpc.ts'
import { checkRows, importRows, readImports, removeImport } from './import-rows.ts'

export const importsRouter = router({
  add: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(AddRowsInput)
    .output(AddRowsResponse)
    .mutation(({ ctx, input }) => importRows(ctx, input)),
  check: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(CheckRowsInput)
    .output(CheckRowsResponse)
    .mutation(({ ctx, input }) => checkRows(ctx, input)),
  list: providerProcedure
    .meta({ scope: 'availability:read' })
    .input(EmptyInput)
    .output(Imports)
    .query(({ ctx }) => readImports(ctx)),
  remove: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(ImportRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeImport(ctx, input)),
})
