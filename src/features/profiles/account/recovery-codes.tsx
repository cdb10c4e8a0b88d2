import { useEffect, useRef } from 'react'
import { saveFile } from '#app/lib/files.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'

type RecoveryCodesProps = { codes: readonly string[]; onDone: () => void }

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const start = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    start.current?.focus()
    start.current?.scrollIntoView()
  }, [])
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      await showToast('Copied.')
    } catch {
      await showToast('Your browser blocked copying. Use “Save as file” instead.')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={start} tabIndex={-1} className="text-lg font-semibold outline-none">
        Save your recovery codes
      </h3>
      <Notice kind="warn" title="We’ll only show them once">
        <p>
          Each of them signs you in once without your phone. Keep them on paper, or in a password
          manager.
        </p>
      </Notice>
      <ul className="tabular grid w-full max-w-96 grid-cols-2 gap-x-6 gap-y-1 rounded-card border border-line bg-sunken p-4 font-semibold">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onDone}>I’ve saved them</Button>
        <Button variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile('apposite-recovery-codes.txt', text, 'text/plain')}
        >
          Save as file
        </Button>
      </div>
    </div>
  )
}
