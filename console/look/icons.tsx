import type { ReactNode } from 'react'

function icon(children: ReactNode) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** Drawn here: nothing is fetched from elsewhere. Each stands beside its word. */
export const icons = {
  today: icon(<path d="M2 11.5 5.5 7l3 3L14 3.5M10.5 3.5H14V7" />),
  calls: icon(<path d="M2.5 4h11M2.5 8h11M2.5 12h7" />),
  agents: icon(
    <>
      <circle cx="8" cy="5.2" r="2.7" />
      <path d="M2.8 13.5c.6-2.7 2.6-4 5.2-4s4.600 1.300 5.200 4" />
    </>,
  ),
  changes: icon(<path d="M8 2v12M3.500 5h6M6.500 11h6" />),
  explore: icon(<path d="m5.500 4.500-3.500 3.500 3.500 3.500M10.500 4.500 14 8l-3.500 3.500" />),
  import: icon(<path d="M8 2.500v7.500M5 7l3 3 3-3M2.500 11v2.500h11V11" />),
  rubric: icon(
    <path d="M6.500 3.500h7M6.500 8h7M6.500 12.500h7M2.300 3.500l.9.9 1.500-1.700M2.300 8l.9.9 1.500-1.700M2.300 12.500l.9.9 1.500-1.700" />,
  ),
  settings: icon(<path d="M2.500 5h6M11.500 5h2M2.500 11h2M7.500 11h6M10 3.300v3.400M6 9.300v3.400" />),
  key: icon(
    <>
      <path d="M3 6.500v3M6.200 4v8M9.500 6v4M12.800 7v2" />
    </>,
  ),
  search: icon(
    <>
      <circle cx="7" cy="7" r="4.300" />
      <path d="m10.300 10.300 3.200 3.200" />
    </>,
  ),
} as const

export function Wordmark() {
  return (
    <svg
      viewBox="0 0 22 22"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.400"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M3 9v4M8.300 5v12M13.600 7.500v7M19 9.800v2.400" />
    </svg>
  )
}
