import * as z from 'zod/mini'
import { parseJson } from '#db/columns.ts'
import type { Services } from '#server/context.ts'
import type { VisitRow } from './visit-store.ts'

/** What an email about a visit says of its provider and the place. */
const Named = z.object({
  title: z.nullable(z.string()),
  first_name: z.string(),
  last_name: z.string(),
  provider_email: z.string(),
  provider_phone: z.nullable(z.string()),
  place_name: z.string(),
  address: z.string(),
  place_phone: z.nullable(z.string()),
})

type Sealing = Pick<Services, 'secrets'>

/** Who a visit is with and where, encrypted: to wait with the emails about it while its provider is erased. */
export function sealProvider({ secrets }: Sealing, row: VisitRow): string {
  return secrets.seal('mail', JSON.stringify(z.parse(Named, row)))
}

/** The same visit with its provider as they were when it was sealed. */
export function openProvider({ secrets }: Sealing, sealed: string, row: VisitRow): VisitRow {
  return { ...row, ...z.parse(Named, parseJson<unknown>(secrets.open('mail', sealed))) }
}
