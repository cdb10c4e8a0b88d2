import * as z from 'zod/mini'
import { ImportId } from '#contract/base/ids.ts'
import { IsoInstant } from '#contract/base/time.ts'
import {
  AddRowsInput,
  DateOrder,
  IMPORT_BATCH,
  ImportRow,
  type Refused,
  RowRefusal,
  rowRefusalMessages,
} from '#contract/imports.ts'
import {
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Visits'

const { externalId, ...cells } = ImportRow.shape

const Row = z.strictObject({ ...cells, external_id: externalId })

const batch = {
  dates: DateOrder,
  rows: z.array(Row).check(z.minLength(1), z.maxLength(IMPORT_BATCH)),
}

type Rows = z.infer<typeof batch.rows>

const rowsOf = (rows: Rows) =>
  rows.map(({ external_id: id, ...row }) => ({ ...row, externalId: id }))

const RefusedRow = z.object({ line: z.int(), code: RowRefusal, message: z.string() })

function refusedOf(refused: readonly Refused[]): z.input<typeof RefusedRow>[] {
  return refused.map(({ line, why }) => ({ line, code: why, message: rowRefusalMessages[why] }))
}

const example = {
  dates: 'dmy',
  rows: [
    {
      line: 2,
      start: '$DATE 21:40',
      minutes: '20',
      label: 'Mrs Hill',
      external_id: 'A-1',
    },
  ],
}

const check = restCall({
  method: 'POST',
  path: '/imports/check/',
  room,
  source: 'added',
  title: 'Check appointments from another system',
  about: `What an import of up to ${IMPORT_BATCH} rows of a file would do; nothing is saved. Send cells unchanged: \`start\` and \`end\`, or \`minutes\`, \`place\` by its name, \`label\`, and the file’s own \`external_id\`. \`dates\` says whether 03/04 is the third of April (dmy) or the fourth of March (mdy): it is never guessed. \`refused\` gives the reason for each row that would not be imported; \`first\` is the first that would.`,
  procedures: ['imports.check'],
  refusals: [],
  example: {
    as: 'provider',
    body: example,
    answer: {
      status: true,
      good: 1,
      first: {
        line: 2,
        starts_at: '2026-03-02T21:40:00.000Z',
        ends_at: '2026-03-02T22:00:00.000Z',
      },
      refused: [],
    },
  },
  query: noQuery,
  body: { json: z.strictObject(batch) },
  answer: z.object({
    status: z.literal(true),
    good: z.int(),
    first: z.nullable(z.object({ line: z.int(), starts_at: IsoInstant, ends_at: IsoInstant })),
    refused: z.array(RefusedRow),
  }),
  run: async ({ caller, body: { dates, rows } }) => {
    const { good, first, refused } = await caller.imports.check({ dates, rows: rowsOf(rows) })
    return {
      ...OK,
      good,
      first:
        first === null
          ? null
          : { line: first.line, starts_at: first.startsAt, ends_at: first.endsAt },
      refused: refusedOf(refused),
    }
  },
})

const add = restCall({
  method: 'POST',
  path: '/imports/',
  room,
  source: 'added',
  title: 'Import appointments from another system',
  about: `Up to ${IMPORT_BATCH} rows at a time. Those that can be imported become blocked times; nobody is emailed or charged. Send the \`import_id\` of the first response with further rows of the same file. A row that was imported before, by its \`external_id\` or by all its values, replaces the earlier one and counts as \`updated\`.`,
  procedures: ['imports.add'],
  refusals: ['not_found', 'import_full', 'imports_full'],
  example: {
    as: 'provider',
    body: { name: 'appointments.csv', ...example },
    keep: { IMPORT: 'import_id' },
    answer: { status: true, import_id: 'imp_…', added: 1, updated: 0, refused: [] },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      ...batch,
      import_id: z._default(AddRowsInput.shape.importId, null),
      name: AddRowsInput.shape.name,
    }),
  },
  answer: z.object({
    status: z.literal(true),
    import_id: z.nullable(ImportId),
    added: z.int(),
    updated: z.int(),
    refused: z.array(RefusedRow),
  }),
  run: async ({ caller, body: { import_id: known, rows, ...more } }) => {
    const { importId, refused, ...counts } = await caller.imports.add({
      ...more,
      rows: rowsOf(rows),
      importId: known,
    })
    return { ...OK, import_id: importId, ...counts, refused: refusedOf(refused) }
  },
})

const list = restCall({
  method: 'GET',
  path: '/imports/',
  room,
  source: 'added',
  title: 'List your imports',
  about:
    'With the number of appointments stored from each. Appointments are deleted a month after they end.',
  procedures: ['imports.list'],
  example: {
    as: 'provider',
    answer: {
      status: true,
      imports: [
        { id: 'imp_…', name: 'appointments.csv', created_at: '2026-03-02T09:00:00.000Z', rows: 1 },
      ],
    },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    imports: z.array(
      z.object({ id: ImportId, name: z.string(), created_at: IsoInstant, rows: z.int() }),
    ),
  }),
  run: async ({ caller }) => {
    const imports = await caller.imports.list({})
    return {
      ...OK,
      imports: imports.map(({ createdAt, ...one }) => ({ ...one, created_at: createdAt })),
    }
  },
})

const UNDONE = 'The import is undone.'

const remove = restCall({
  method: 'DELETE',
  path: '/imports/{id}/',
  room,
  source: 'added',
  title: 'Undo an import',
  about: 'Removes all of its appointments, and their times can be booked again at once.',
  procedures: ['imports.remove'],
  refusals: ['not_found'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: '$IMPORT' },
    answer: { status: true, message: UNDONE },
  },
  query: noQuery,
  body: noBody,
  answer: z.object(okFields),
  run: async ({ caller, params }) => {
    await caller.imports.remove({ id: parseId(ImportId, params['id']) })
    return { ...okMessage(UNDONE) }
  },
})

/** Importing a provider's appointments from other systems. */
export const importCalls: readonly RestCall[] = [check, add, list, remove]
