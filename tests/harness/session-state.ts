/**
 * Statements whose effect stays with a connection after its transaction. Behind PgBouncer in transaction
 * mode, the next statement may use another connection, and another client may get this one.
 */
const STATEMENT_STARTS = [
  String.raw`set\s+(?!local\b|transaction\b|constraints\b)\w+(?:\.\w+)?\s*(?:=|\bto\b)`,
  String.raw`set\s+(?:session|time\s+zone|role)\b`,
  String.raw`(?:un)?listen\s+["\w*]+\s*$`,
  String.raw`prepare\s+\w+\s*(?:\(|\bas\b)`,
  String.raw`deallocate\s+\w+`,
  String.raw`discard\s+(?:all|plans|sequences|temp)`,
  String.raw`reset\s+(?:all|role|session|\w+_\w+)\b`,
].join('|')

const ANYWHERE = [
  String.raw`\bset_config\s*\(`,
  String.raw`\bpg_(?:try_)?advisory_(?:lock|unlock)`,
  String.raw`\bcreate\s+(?:global\s+|local\s+)?temp(?:orary)?\b`,
  String.raw`\bwith\s+hold\b`,
  String.raw`\b(?:lastval|currval)\s*\(`,
].join('|')

/** Whether a complete statement leaves session state behind. */
export function leavesState(statement: string): boolean {
  return new RegExp(String.raw`^\s*(?:${STATEMENT_STARTS})|${ANYWHERE}`, 'i').test(statement)
}

/** String literals in a source file that would leave session state behind as statements. */
export function statefulLiterals(source: string): string[] {
  const pattern = new RegExp(
    `[\`'"]\\s*(?:${STATEMENT_STARTS.replace('$', '[`\'"]')})|${ANYWHERE}`,
    'gi',
  )
  return [...source.matchAll(pattern)].map(([text]) => text)
}
