import { useEffect } from 'react'

/** Names the page, for its tab and for who listens. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Earshot`
  }, [title])
}
