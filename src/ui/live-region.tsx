/** Says its text to screen readers whenever it changes, without showing it. */
export function LiveRegion({ text }: { text: string }) {
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}
