const OLDEST = [20, 19]

/** Ends the process with one sentence when this Node cannot even read the bootstrap. */
export function refuseOldNode() {
  const parts = process.versions.node.split('.').map(Number)
  if (parts[0] > OLDEST[0] || (parts[0] === OLDEST[0] && parts[1] >= OLDEST[1])) return
  console.error(
    'This is Node ' +
      process.versions.node +
      '. Apposite needs Node ' +
      OLDEST.join('.') +
      ' or newer to start; it then brings its own.',
  )
  process.exit(1)
}
