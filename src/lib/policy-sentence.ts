function late(percent: number): string {
  if (percent === 100) return 'After that the full fee is charged.'
  return `After that ${percent}% of the fee is charged.`
}

/** The cancellation policy as one sentence or two; hours before the visit and a share of the fee. */
export function policySentence(policy: { freeHours: number; latePercent: number }): string {
  const { freeHours, latePercent } = policy
  if (freeHours === 0 || latePercent === 0) return 'Free cancellation until the visit begins.'
  const hours = freeHours === 1 ? '1 hour' : `${freeHours} hours`
  return `Free cancellation until ${hours} before. ${late(latePercent)}`
}
