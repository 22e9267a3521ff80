import { useState } from 'react'

interface CopyButtonProps {
  readonly name: string
  /** What it says once it has copied. */
  readonly copied: string
  readonly text: () => string
}

/** Copies something, and says so. Without HTTPS browsers let no page copy: there it is not shown. */
export function CopyButton({ name, copied, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  if (!isSecureContext) return null
  return (
    <button
      type="button"
      className="button"
      onClick={() => void navigator.clipboard.writeText(text()).then(() => setCopied(true))}
    >
      <span aria-live="polite">{isCopied ? copied : name}</span>
    </button>
  )
}
