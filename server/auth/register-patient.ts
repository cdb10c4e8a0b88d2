import type { RegisterAnswer, RegisterPatientInput } from '#contract/auth.ts'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import type { Context } from '#server/context.ts'
import { openAccount } from './open-account.ts'
import { assertBirthday } from './rules.ts'

/** The documented user-register. */
export async function registerPatient(
  ctx: Context,
  input: RegisterPatientInput,
): Promise<RegisterAnswer> {
  assertBirthday(input.date_of_birth, ctx.now())
  return openAccount(ctx, {
    kind: 'patient',
    email: input.email,
    password: input.password,
    first_name: input.first_name,
    last_name: input.last_name,
    phone_number: input.phone_number,
    date_of_birth: input.date_of_birth,
    default_radius: input.temp_distance ?? DEFAULT_RADIUS,
    captchaValue: input.captchaValue,
  })
}
