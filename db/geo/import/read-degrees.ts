/** Degrees from a cell; NaN for an empty one, which must not count as zero degrees. */
export function readDegrees(cell: string | undefined): number {
  return cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell)
}
