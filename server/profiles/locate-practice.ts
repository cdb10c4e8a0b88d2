import type { Region } from '#contract/region.ts'
import { regionFacts } from '#contract/region.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { findPractice, type PracticePlace } from '#db/geo/practice.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Where a practice stands; every way its code can be wrong is said beside the field. */
export async function locatePractice(
  ctx: Context,
  { region, postcode }: { region: Region; postcode: string },
): Promise<PracticePlace> {
  const answer = await findPractice(ctx.database.db, region, postcode)
  if (answer.kind === 'practice') return answer
  const { codeWord, codeExample } = regionFacts[region]
  const message =
    answer.kind === 'partial'
      ? `Enter the whole ${codeWord}, such as ${codeExample}.`
      : sentenceFor('postcode_unknown', { region, code: postcode })
  throw new AppError('invalid_input', {}, { issues: [{ path: 'postcode', message }] })
}
