/** Hands a text or bytes to the browser as a file to keep; nothing is sent anywhere. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has to have begun to read it first.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
