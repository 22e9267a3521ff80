const FROM = Buffer.from('From ')
const NEWLINE = 0x0a
const RETURN = 0x0d
const ESCAPED = 0x3e

/** The messages of an mbox, without what stands above each; `>From ` in them is `From ` again. */
export function splitMbox(bytes: Uint8Array): readonly Uint8Array[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const starts: number[] = []
  for (let at = all.indexOf(FROM); at !== -1; at = all.indexOf(FROM, at + FROM.length)) {
    if (at === 0 || isBehindEmptyLine(all, at)) starts.push(at)
  }
  return starts.map((start, index) => {
    const newline = all.indexOf(NEWLINE, start)
    return unescaped(all.subarray(newline === -1 ? all.length : newline + 1, starts[index + 1] ?? all.length))
  })
}

function isBehindEmptyLine(all: Buffer, at: number): boolean {
  if (all[at - 1] !== NEWLINE) return false
  const before = all[at - 2] === RETURN ? at - 3 : at - 2
  return before < 0 || all[before] === NEWLINE
}

/** Takes one `>` from lines that begin `>From `, `>>From ` … */
function unescaped(message: Buffer): Uint8Array {
  if (!message.includes('>From ')) return message
  const parts: Buffer[] = []
  let from = 0
  for (let line = 0; line < message.length;) {
    if (message[line] === ESCAPED) {
      let at = line
      while (message[at] === ESCAPED) at += 1
      if (message.subarray(at, at + FROM.length).equals(FROM)) {
        parts.push(message.subarray(from, line))
        from = line + 1
      }
    }
    const newline = message.indexOf(NEWLINE, line)
    if (newline === -1) break
    line = newline + 1
  }
  return Buffer.concat([...parts, message.subarray(from)])
}
