import { useId, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { AuditVerdict } from '#contract/audit.ts'
import { entryTime } from './action-words.ts'

const rows = (count: number) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'entry' : 'entries'}`

function Tail({ unsealed, unsealedSince }: AuditVerdict) {
  if (unsealed === 0 || unsealedSince === null) return <p>None waits for its seal.</p>
  return (
    <p>
      {rows(unsealed)} {unsealed === 1 ? 'waits for its' : 'wait for their'} seal, since{' '}
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
          ? 'That entry and all that came after it are gone.'
          : `The first entry that is not as it was sealed is ${brokenRow}.`}
      </p>
      <p>{rows(sealed)} before it are as they were written.</p>
      <Tail {...verdict} />
    </Notice>
  )
}

function Sound({ verdict }: { verdict: AuditVerdict }) {
  const { sealed, head } = verdict
  return (
    <Notice kind="ok" role="status" title="Log intact">
      <p>{rows(sealed)} are as they were written.</p>
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

/** Finds out whether the log is as it was written, and whether it still holds a head noted earlier. */
export function ChainCheck() {
  const id = useId()
  const check = trpc.audit.verify.useMutation()
  const [position, setPosition] = useState('')
  const [seal, setSeal] = useState('')
  const isPlace = /^[1-9]\d{0,14}$/.test(position.trim())
  const isHalf = (position.trim() === '') !== (seal.trim() === '')
  const isWrong = isHalf || (position.trim() !== '' && !isPlace)
  const [isTold, setTold] = useState(false)
  const submit = () => {
    setTold(isWrong)
    if (isWrong || check.isPending) return
    const known = { position: Number(position), seal: seal.trim() }
    check.mutate(position.trim() === '' ? {} : { known })
  }
  const failure = check.error ? describeFailure(check.error) : null
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
          submit()
        }}
      >
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id={`${id}-title`} className="text-lg font-semibold">
              Chain of seals
            </h2>
            <p className="max-w-prose text-muted">
              Each entry is sealed together with the one before it. Whoever changes one, or takes
              one out, breaks the chain.
            </p>
          </div>
          <Button type="submit" variant="secondary" isBusy={check.isPending}>
            Check the chain
          </Button>
        </div>
        <details>
          <summary className="min-h-11 cursor-pointer py-2 font-semibold text-brand-deep">
            Compare with a head noted earlier
          </summary>
          <div className="mt-2 grid gap-4 @md:grid-cols-[8rem_minmax(0,1fr)]">
            <TextInput
              id={`${id}-position`}
              label="Place"
              inputMode="numeric"
              value={position}
              error={isTold && isWrong ? 'Enter both the place and the seal.' : undefined}
              onChange={(event) => setPosition(event.currentTarget.value)}
            />
            <TextInput
              id={`${id}-seal`}
              label="Seal"
              autoCapitalize="none"
              spellCheck={false}
              value={seal}
              onChange={(event) => setSeal(event.currentTarget.value)}
            />
          </div>
        </details>
      </form>
      {failure && (
        <Notice kind="danger" role="alert" title="The chain was not checked" className="mt-4">
          <p>{failure.sentence}</p>
        </Notice>
      )}
      {check.data && (
        <div className="mt-4">
          {check.data.brokenAt === null ? (
            <Sound verdict={check.data} />
          ) : (
            <Broken verdict={check.data} />
          )}
        </div>
      )}
    </section>
  )
}
