const PLAIN_LINE_EVERY_MS = 10_000

/**
 * Runs `work` and shows that it is running: a line that counts the seconds on a terminal, a plain
 * line now and then anywhere else. `done` turns the result into the closing words.
 */
export async function withProgress(label, work, done = () => '') {
  const started = performance.now()
  const seconds = () => ((performance.now() - started) / 1000).toFixed(0)
  const onTerminal = process.stdout.isTTY
  if (!onTerminal) console.log(`${label} …`)
  const ticker = setInterval(
    () => {
      if (onTerminal) process.stdout.write(`\r\x1b[2K${label} … ${seconds()} s`)
      else console.log(`${label} … ${seconds()} s so far`)
    },
    onTerminal ? 250 : PLAIN_LINE_EVERY_MS,
  )
  try {
    const result = await work()
    if (onTerminal) process.stdout.write('\r\x1b[2K')
    console.log(`${label}: done in ${seconds()} s${done(result)}`)
    return result
  } catch (error) {
    if (onTerminal) process.stdout.write('\n')
    throw error
  } finally {
    clearInterval(ticker)
  }
}
