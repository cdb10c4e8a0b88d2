import { Button } from '#app/ui/button.tsx'

/** The foot of the form. */
export function DetailsActions({ isBusy, onClose }: { isBusy: boolean; onClose: () => void }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" isBusy={isBusy}>
        Save account
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  )
}
