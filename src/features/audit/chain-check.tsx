import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Summary } from '#app/ui/summary.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { AuditVerdict } from '#contract/audit.ts'
import { entryTime } from './action-words.ts'

const rows = (count: number) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'entry' : 'entries'}`

function Tail({ unsealed, unsealedSince }: AuditVerdict) {
  if (unsealed === 0 || unsealedSince === null) return <p>No entries are waiting to be sealed.</p>
  return (
    <p>
      {rows(unsealed)} {unsealed === 1 ? 'is' : 'are'} waiting to be sealed, since{' '}
      {entryTime(unsealedSince)} UTC.
    </p>
  )
}

function Broken({ verdict }: { verdict: AuditVerdict }) {
  const { sealed, brokenAt, brokenRow } = verdict
  return (
    <Notice kind="danger" role="alert" title={`The chain is broken at place ${brokenAt}`}>
      <p className="wrap-anywhere">
        {brokenRow === null
          ? 'That entry and everything after it are gone.'
          : `The first entry that no longer matches its seal is ${brokenRow}.`}
      </p>
      <p>Unchanged before that: {rows(sealed)}.</p>
      <Tail {...verdict} />
    </Notice>
  )
}

function Sound({ verdict }: { verdict: AuditVerdict }) {
  const { sealed, head } = verdict
  return (
    <Notice kind="ok" role="status" title="Log intact">
      <p>{rows(sealed)} unchanged.</p>
      <Tail {...verdict} />
      {head && (
        <p className="mt-2 wrap-anywhere">
          Keep this checksum somewhere safe, at entry {head.position.toLocaleString('en-GB')}:{' '}
          <code className="font-semibold">{head.seal}</code>
        </p>
      )}
    </Notice>
  )
}

/** Position and seal are entered together or not at all. */
const KnownHead = z
  .object({ position: z.string().check(z.trim()), seal: z.string().check(z.trim()) })
  .check(
    z.refine(
      ({ position, seal }) =>
        position === '' ? seal === '' : seal !== '' && /^[1-9]\d{0,14}$/.test(position),
      { error: 'Enter both the place and the checksum.', path: ['position'] },
    ),
  )

/** Verifies that the log is unaltered and, optionally, that it still contains a head noted earlier. */
export function ChainCheck() {
  const id = useId()
  const { client } = trpc.useUtils()
  const [verdict, setVerdict] = useState<AuditVerdict | null>(null)
  const form = useForm({
    blank: { position: '', seal: '' },
    schema: KnownHead,
    send: ({ position, seal }) =>
      client.audit.verify.mutate(
        position === '' ? {} : { known: { position: Number(position), seal } },
      ),
    onSent: setVerdict,
  })
  const { failure } = form
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <form
        noValidate
        aria-label="Check the chain"
        className="@container flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setVerdict(null)
          form.submit()
        }}
      >
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id={`${id}-title`} className="text-lg font-semibold">
              Chain of seals
            </h2>
            <p className="max-w-prose text-muted">
              Each entry is sealed together with the one before it. Changing or removing an entry
              breaks the chain.
            </p>
          </div>
          <Button type="submit" variant="secondary" isBusy={form.isBusy}>
            Check the chain
          </Button>
        </div>
        <details>
          <Summary>Compare with a checksum you saved earlier</Summary>
          <div className="mt-2 grid gap-4 @md:grid-cols-[8rem_minmax(0,1fr)]">
            <TextInput label="Place" inputMode="numeric" {...form.text('position')} />
            <TextInput
              label="Checksum"
              autoCapitalize="none"
              spellCheck={false}
              {...form.text('seal')}
            />
          </div>
        </details>
      </form>
      {failure && (
        <Notice kind="danger" role="alert" title="The chain was not checked" className="mt-4">
          <p>{failure.sentence}</p>
        </Notice>
      )}
      {verdict && (
        <div className="mt-4">
          {verdict.brokenAt === null ? <Sound verdict={verdict} /> : <Broken verdict={verdict} />}
        </div>
      )}
    </section>
  )
}
