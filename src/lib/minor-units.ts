/** "60", "60.5", "1,200.50" in minor units; NaN when it is no amount of money. */
export function minorUnits(text: string): number {
  const bare = text.trim().replaceAll(',', '')
  if (!/^\d{1,7}(?:\.\d{1,2})?$/.test(bare)) return Number.NaN
  const [whole = '', part = ''] = bare.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** The other way round, as somebody would type it: 6000 is "60", 6050 is "60.50". */
export function majorText(minor: number): string {
  const whole = Math.trunc(minor / 100)
  const part = minor % 100
  return part === 0 ? String(whole) : `${whole}.${String(part).padStart(2, '0')}`
}
