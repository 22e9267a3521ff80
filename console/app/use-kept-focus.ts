import { type RefObject, useEffect } from 'react'

/** Where the focus may go to: what a reader has a name or a place for. */
const PLACES = 'li, form, section, table, main'

/**
 * Who moves by keys, or listens, stays where they were: a control that goes with what it did leaves its focus to what stood around it, and
 * one that rests while it works has it again.
 */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const within = content.current
    if (within === null) return
    /** The control that had the focus last, and what it stands in. */
    let path: readonly HTMLElement[] = []
    let isResting = false
    const noted = ({ target }: FocusEvent) => {
      path = []
      isResting = false
      for (let at = target; at instanceof HTMLElement && within.contains(at); at = at.parentElement)
        path = [...path, at]
    }
    // Who presses somewhere else has left it.
    const left = () => {
      path = []
    }
    const changed = new MutationObserver(() => {
      const [control] = path
      if (control === undefined || control === within) return
      if (control.isConnected && control.matches(':disabled')) isResting = true
      const { activeElement } = document
      if (activeElement !== null && activeElement !== document.body) return
      if (!control.isConnected) takeFocus(path.find(one => one.isConnected && one.matches(PLACES)) ?? within)
      else if (isResting && !control.matches(':disabled')) control.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', noted)
    document.addEventListener('pointerdown', left)
    changed.observe(within, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', noted)
      document.removeEventListener('pointerdown', left)
      changed.disconnect()
    }
  }, [content])
}

/** Gives it the focus, which it can have only as long as it has it. */
function takeFocus(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}
