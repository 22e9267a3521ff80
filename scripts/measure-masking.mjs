/**
 * Holds what masking does against dialogues whose personal data somebody labelled, test/redact/dialogues.txt. Half of
 * them are held out, by the hash of the dialogue, and were never looked at when masking was tuned.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const LABEL = /\{(\w+):([^}]*)\}/g
const MASK = /\[(\w+)\]/g

/** A turn and the places labelled in it. */
function turnOf(line) {
  const labels = []
  const said = line.slice(3)
  let text = ''
  let at = 0
  for (const { 0: whole, 1: kind, 2: what, index } of said.matchAll(LABEL)) {
    text += said.slice(at, index)
    labels.push({ kind, start: text.length, end: text.length + what.length })
    text += what
    at = index + whole.length
  }
  return { actor: line.startsWith('a:') ? 'agent' : 'customer', text: text + said.slice(at), labels }
}

/** The dialogues of a file. */
export function readDialogues(file) {
  const blocks = readFileSync(file, 'utf8').split(/\n\n+/)
  const dialogues = blocks.map(block => block.split('\n').filter(line => /^[ac]: /.test(line)))
  return dialogues
    .filter(lines => lines.length > 0)
    .map(lines => {
      const [first] = createHash('sha256').update(lines.join('\n')).digest()
      return { turns: lines.map(turnOf), heldOut: first % 2 === 1 }
    })
}

/** Where the source was masked, and as what. */
function masksOf(source, masked) {
  const marks = [...masked.matchAll(MASK)]
  const found = []
  let at = 0
  let from = 0
  for (const [i, { 0: mark, 1: kind, index }] of marks.entries()) {
    const start = at + (index - from)
    const rest = masked.slice(index + mark.length, marks[i + 1]?.index ?? masked.length)
    const end = i === marks.length - 1 ? source.length - rest.length : source.indexOf(rest, start)
    found.push({ kind, start, end })
    at = end
    from = index + mark.length
  }
  return found
}

/** Whether every character of a place is masked. */
function isCovered({ start, end }, masks) {
  for (let at = start; at < end; at += 1) {
    if (!masks.some(mask => mask.start <= at && at < mask.end)) return false
  }
  return true
}

/**
 * What masking does to dialogues, by kind, with the turns in which it fails.
 * @param redact masks a record in place
 */
export function measureMasking(dialogues, redact) {
  const kinds = new Map()
  const of = kind => {
    const tally = kinds.get(kind) ?? { labelled: 0, masked: 0, masks: 0, wrong: 0 }
    kinds.set(kind, tally)
    return tally
  }
  const faults = []
  for (const { turns } of dialogues) {
    const record = { transcript: turns.map(({ actor, text }, turn) => ({ turn, actor, text })) }
    redact(record)
    for (const [i, { text, labels }] of turns.entries()) {
      const masks = masksOf(text, record.transcript[i].text)
      for (const label of labels) {
        const tally = of(label.kind)
        tally.labelled += 1
        if (isCovered(label, masks)) tally.masked += 1
        else faults.push(`missed ${label.kind}: ${text}`)
      }
      for (const mask of masks) {
        const tally = of(mask.kind)
        tally.masks += 1
        if (labels.some(({ start, end }) => start < mask.end && end > mask.start)) continue
        tally.wrong += 1
        faults.push(`wrong ${mask.kind}: ${text}`)
      }
    }
  }
  return { kinds, faults }
}
