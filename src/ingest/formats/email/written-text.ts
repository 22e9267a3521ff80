/** What programs write above the message they quote: the rest is said in another message. */
const ORIGINAL =
  /^\s{0,4}-{2,10} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original) ?-{2,10}\s*$/i
const ATTRIBUTION =
  /^(?:On .{1,200} wrote|Am .{1,200} schrieb .{1,200}|Le .{1,200} a écrit|El .{1,200} escribió) ?:\s*$/

/** What somebody wrote in a message, without what is quoted of earlier ones; blank when it is nothing else. */
export function writtenText(text: string): string {
  const lines = text.split(/\r\n|\n|\r/)
  const cut = lines.findIndex(line => ORIGINAL.test(line))
  const kept = (cut === -1 ? lines : lines.slice(0, cut)).filter((line, at, all) => {
    if (line.startsWith('>')) return false
    return !(ATTRIBUTION.test(line) && (all[at + 1]?.startsWith('>') === true || all[at + 2]?.startsWith('>') === true))
  })
  return kept.join('\n').trim()
}
