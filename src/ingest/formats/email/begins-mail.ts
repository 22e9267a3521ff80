/** Fields of which a message has one at least, beside `From`. */
const OTHERS: ReadonlySet<string> = new Set(['date', 'message-id', 'received', 'mime-version', 'delivered-to'])
/** `From ann@example.com Mon Mar  2 09:30:00 2026`: what stands above each message of an mbox. */
const POSTMARK = /^From \S{1,320} {1,3}\S[^\n]{0,60}\d{4}\s*$/
/** Fields that are looked at. */
const MOST_FIELDS = 200

/** Whether a text begins as an mbox does. */
export function beginsMbox(head: string): boolean {
  const end = head.search(/[\r\n]/)
  return end !== -1 && POSTMARK.test(head.slice(0, end)) && beginsMail(head.slice(end).replace(/^\r?\n/, ''))
}

/** Whether a text begins with the header of an e-mail message. */
export function beginsMail(head: string): boolean {
  const met = new Set<string>()
  for (const line of head.slice(0, 32_768).split(/\r?\n/, MOST_FIELDS)) {
    if (line === '') break
    if (/^[ \t]/.test(line)) continue
    const name = /^([!-9;-~]{1,70}):/.exec(line)?.[1]
    if (name === undefined) return false
    met.add(name.toLowerCase())
  }
  return met.has('from') && [...OTHERS].some(name => met.has(name))
}
