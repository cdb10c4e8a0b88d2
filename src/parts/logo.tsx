/** The mark and the name. The mark is a roof, a person and a door in one stroke. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8 shrink-0">
        <rect width="32" height="32" rx="9" className="fill-brand" />
        <path
          d="M9 23 15.1 9.2a1 1 0 0 1 1.8 0L23 23"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-brand"
        />
        <circle cx="16" cy="20" r="2.4" className="fill-on-brand" />
      </svg>
      <span className="text-xl font-bold tracking-tight text-ink">Apposite</span>
    </span>
  )
}
