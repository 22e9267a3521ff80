import { useSyncExternalStore } from 'react'

/** Below this width rows are cards; the same as in app.css. */
const NARROW = matchMedia('(max-width: 640px)')

export function useNarrow(): boolean {
  return useSyncExternalStore(
    changed => {
      NARROW.addEventListener('change', changed)
      return () => NARROW.removeEventListener('change', changed)
    },
    () => NARROW.matches,
  )
}
