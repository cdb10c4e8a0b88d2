import { asGreeting } from '#server/auth/emails.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/erased.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { findProof } from './proof-store.ts'
import { codeEmail, offeredEmail, refusedProofEmail } from './proof-templates.ts'

type ProofErrand = { proofId: string; deliveryId: string }

async function load({ config, database }: Services, id: string) {
  const proof = await findProof(database.db, id)
  // The provider erased their account meanwhile.
  if (proof === undefined || isErasedAddress(proof.email)) return null
  return {
    ...proof,
    facts: {
      name: asGreeting(proof.first_name),
      body: proof.body,
      number: proof.claimed_number,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    },
  }
}

/** Emails a provider that a code can be sent to a published address. */
export async function deliverOffered(services: Services, errand: ProofErrand): Promise<void> {
  const proof = await load(services, errand.proofId)
  if (proof === null || proof.state !== 'waiting') return
  const address = { email: proof.published_email ?? '', source: proof.source ?? '' }
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: proof.email,
    userId: proof.user_id,
    secrets: [],
    content: offeredEmail({ ...proof.facts, ...address }),
  })
}

/** Emails a code to the published address; not to one that was replaced meanwhile. */
export async function deliverProofCode(
  services: Services,
  errand: ProofErrand & { secret: string },
): Promise<void> {
  const proof = await load(services, errand.proofId)
  if (proof === null || proof.state !== 'waiting' || proof.published_email === null) return
  const code = services.secrets.open('mail', errand.secret)
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: proof.published_email,
    userId: proof.user_id,
    secrets: [code],
    content: codeEmail({
      ...proof.facts,
      person: asGreeting(`${proof.first_name} ${proof.last_name}`),
      source: proof.source ?? '',
      code,
    }),
  })
}

/** Emails a provider why staff refused a proof. */
export async function deliverProofRefused(services: Services, errand: ProofErrand): Promise<void> {
  const proof = await load(services, errand.proofId)
  if (proof === null || proof.state !== 'refused') return
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: proof.email,
    userId: proof.user_id,
    secrets: [],
    content: refusedProofEmail({
      ...proof.facts,
      kind: proof.kind,
      reason: proof.reason ?? '',
    }),
  })
}
