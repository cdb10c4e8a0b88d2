import type { ProfessionalBody } from '#contract/people.ts'
import { greetingName } from '#server/auth/emails.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { findProof } from './proof-store.ts'

type ProofJob = { proofId: string; deliveryId: string }

async function load({ config, database }: Services, id: string) {
  const proof = await findProof(database.db, id)
  // The provider erased their account meanwhile.
  if (proof === undefined || isErasedAddress(proof.email)) return null
  return {
    ...proof,
    facts: {
      name: greetingName(proof.first_name),
      body: proof.body,
      number: proof.claimed_number,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    },
  }
}

/** Emails a provider that a code can be sent to a published address. */
export async function deliverOffered(services: Services, job: ProofJob): Promise<void> {
  const proof = await load(services, job.proofId)
  if (proof === null || proof.state !== 'waiting') return
  const address = { email: proof.published_email ?? '', source: proof.source ?? '' }
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: proof.email,
    userId: proof.user_id,
    secrets: [],
    content: offeredEmail({ ...proof.facts, ...address }),
  })
}

/** Emails a code to the published address, unless that was replaced since. */
export async function deliverProofCode(
  services: Services,
  job: ProofJob & { secret: string },
): Promise<void> {
  const proof = await load(services, job.proofId)
  if (proof === null || proof.state !== 'waiting' || proof.published_email === null) return
  const code = services.secrets.open('mail', job.secret)
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: proof.published_email,
    userId: proof.user_id,
    secrets: [code],
    content: codeEmail({
      ...proof.facts,
      person: greetingName(`${proof.first_name} ${proof.last_name}`),
      source: proof.source ?? '',
      code,
    }),
  })
}

/** Emails a provider why staff refused a proof. */
export async function deliverProofRefused(services: Services, job: ProofJob): Promise<void> {
  const proof = await load(services, job.proofId)
  if (proof === null || proof.state !== 'refused') return
  await sendEmail(services, {
    deliveryId: job.deliveryId,
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

type Reader = { name: string; site: string; supportEmail: string }
type Registration = { body: ProfessionalBody; number: string }

function contactNote({ supportEmail }: Reader): EmailContent['blocks'][number] {
  return { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` }
}

type OfferedEmailFacts = Reader & Registration & { email: string; source: string }

/** Tells a provider that a code can be sent to a published address, to prove that they are the registrant. */
function offeredEmail(offered: OfferedEmailFacts): EmailContent {
  const { name, body, number, email, source, site } = offered
  return {
    heading: 'Confirm that you’re the registrant',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nBefore we can verify your registration (${body} ${number}), we need to know that you’re the person the register names. We can send a code to this published address:`,
      },
      {
        kind: 'facts',
        rows: [
          ['Address', email],
          ['Published', source],
        ],
      },
      {
        kind: 'paragraph',
        text: 'Get the code when you can read that mailbox: it expires after 10 minutes. If you can’t, send a photo ID or your certificate on the same page.',
      },
      { kind: 'link', label: 'Get the code', url: `${site}/provider-verify` },
      contactNote(offered),
    ],
  }
}

type CodeEmailFacts = Registration & {
  /** First and last name of the account that asked. */
  person: string
  source: string
  code: string
  supportEmail: string
}

/** The code, for the owner of the published mailbox, who may know nothing about the request. */
function codeEmail({
  person,
  body,
  number,
  source,
  code,
  supportEmail,
}: CodeEmailFacts): EmailContent {
  return {
    heading: 'Your code to confirm a registration',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello,\n${person} has registered with Apposite under the number ${body} ${number}, and asked for a code at this address. We use it because it’s published (${source}). If that’s you, enter this code on the page that asks for it:`,
      },
      { kind: 'code', text: code },
      {
        kind: 'small',
        text: `The code expires in 10 minutes. If you don’t know about this, don’t share it with anyone, and tell us: ${supportEmail}.`,
      },
    ],
  }
}

type RefusedEmailFacts = Reader & Registration & { kind: 'document' | 'code'; reason: string }

/** Tells a provider why their proof was refused, and what they can do. */
function refusedProofEmail(refused: RefusedEmailFacts): EmailContent {
  const { name, body, number, kind, reason, site } = refused
  const what =
    kind === 'document'
      ? `We’ve looked at the document you sent for your registration (${body} ${number}). It doesn’t show us that you’re the person the register names, for this reason:`
      : `We no longer accept the code sent to a published address for your registration (${body} ${number}), for this reason:`
  return {
    heading: 'We need another proof that it’s you',
    blocks: [
      { kind: 'paragraph', text: `Hello ${name},\n${what}` },
      { kind: 'quote', text: reason },
      { kind: 'paragraph', text: 'Send a photo ID or your certificate here:' },
      { kind: 'link', label: 'Send a document', url: `${site}/provider-verify` },
      contactNote(refused),
    ],
  }
}
