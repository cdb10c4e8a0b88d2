import { Check, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import type { Difference, OwnVerification, RegisterCheck } from '#contract/verification.ts'
import { bodyLabels } from './verdict.ts'

type Finding = 'same' | 'different' | 'open'

type FindingProps = { finding: Finding; isStanding: boolean }

/** The result of comparing one line; nothing if there was nothing to compare. */
function FindingLabel({ finding, isStanding }: FindingProps) {
  if (finding === 'open') return null
  const isSame = finding === 'same'
  const Icon = isSame ? Check : X
  const word = isStanding ? (isSame ? 'Good' : 'Not eligible') : isSame ? 'Same' : 'Different'
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 font-semibold',
        isSame ? 'text-ok' : 'text-danger',
      )}
    >
      <Icon aria-hidden="true" className="stroke-[2.25] size-4" />
      {word}
    </span>
  )
}

function normalizeWord(word: string): string {
  return word.normalize('NFKC').toLowerCase()
}

/** Highlights words missing from the claim, so that a second surname or a different letter shows. */
function HighlightedWords({ text, claim }: { text: string; claim: string }) {
  const known = new Set(claim.split(/\s+/).map(normalizeWord))
  const words = text.trim().split(/\s+/)
  return words.map((word, at) => (
    // The words of an answer never change order.
    <span key={at}>
      {at > 0 && ' '}
      {known.has(normalizeWord(word)) ? (
        word
      ) : (
        <mark className="rounded-[3px] bg-accent-tint px-0.5 text-accent">{word}</mark>
      )}
    </span>
  ))
}

type LineProps = {
  label: string
  finding: Finding
  claim: string
  /** The register's value; null before the first comparison. */
  answer: ReactNode
  /** Label of `claim` if the provider did not claim it. */
  claimNote?: string
  columns: { claim: string; answer: string }
}

function Line({ label, finding, claim, answer, claimNote, columns }: LineProps) {
  const id = useId()
  const cell = 'w-1/2 px-3 pb-3 align-top wrap-anywhere sm:px-4'
  return (
    <tbody className="border-t border-line">
      <tr>
        <th
          id={id}
          colSpan={2}
          scope="rowgroup"
          className="px-3 pt-3 text-left text-sm font-normal text-muted sm:px-4"
        >
          <span className="flex items-center justify-between gap-3">
            {label}
            <FindingLabel finding={finding} isStanding={claimNote !== undefined} />
          </span>
        </th>
      </tr>
      <tr>
        <td headers={`${id} ${columns.claim}`} className={cx(cell, 'pt-1')}>
          {claimNote && <span className="block text-sm text-muted">{claimNote}</span>}
          <span className={cx('tabular', !claimNote && 'font-medium')}>{claim}</span>
        </td>
        {/* The answer is level with the claim, below the claim's label. */}
        <td
          headers={`${id} ${columns.answer}`}
          className={cx(cell, claimNote === undefined ? 'pt-1' : 'pt-6')}
        >
          <span className={cx('tabular', finding === 'open' ? 'text-muted' : 'font-medium')}>
            {answer}
          </span>
        </td>
      </tr>
    </tbody>
  )
}

type ComparisonTableProps = {
  /** The verification; only the claim and its latest comparison are used. */
  verification: {
    provider: Pick<
      OwnVerification['provider'],
      'name' | 'professional_body_name' | 'membership_number'
    >
    check: RegisterCheck | null
  }
  /** Heading of the claim; depends on whose page it is on. */
  claimTitle?: string
}

/** The provider's claim beside the register's entry, with differences highlighted. */
export function ComparisonTable({
  verification,
  claimTitle = 'You told us',
}: ComparisonTableProps) {
  const id = useId()
  const { provider, check } = verification
  const { register, number, needed } = bodyLabels[provider.professional_body_name]
  const answer = check?.answer ?? null
  const findingOf = (what: Difference): Finding => {
    if (check === null) return 'open'
    if (answer === null) return what === 'number' ? 'different' : 'open'
    return check.differences.includes(what) ? 'different' : 'same'
  }
  const nothing = check === null ? 'Not checked yet' : 'No entry'
  const columns = { claim: `${id}-claim`, answer: `${id}-answer` }
  const head = 'w-1/2 px-3 py-2 text-left text-sm font-semibold sm:px-4'
  return (
    <div className="overflow-hidden rounded-field border border-line">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">
          {claimTitle}, beside what the {register} says
        </caption>
        <thead className="bg-sunken">
          <tr>
            <th id={columns.claim} scope="col" className={head}>
              {claimTitle}
            </th>
            <th id={columns.answer} scope="col" className={head}>
              {register}
            </th>
          </tr>
        </thead>
        <Line
          label={number}
          finding={findingOf('number')}
          claim={provider.membership_number}
          answer={answer?.registration_number ?? nothing}
          columns={columns}
        />
        <Line
          label="Name"
          finding={findingOf('name')}
          claim={provider.name}
          answer={
            answer === null ? (
              nothing
            ) : (
              <HighlightedWords text={answer.name} claim={provider.name} />
            )
          }
          columns={columns}
        />
        <Line
          label="Standing"
          finding={findingOf('standing')}
          claim={needed}
          claimNote="Required"
          answer={answer?.status_text ?? nothing}
          columns={columns}
        />
      </table>
    </div>
  )
}
