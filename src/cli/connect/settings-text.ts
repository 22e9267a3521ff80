import { isDeepStrictEqual } from 'node:util'
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from 'jsonc-parser'
import { Problem } from '../../base/problem.js'

/** An entry of a settings file: the section it belongs to, and its name there. */
interface SettingsPlace {
  readonly section: string
  readonly name: string
}

/** What a settings file holds at a place; `undefined` where there is none. @throws Problem `conflict` where it is broken */
export function entryOf(text: string, place: SettingsPlace, file: string): unknown {
  const at = propertyOf(sectionOf(readRoot(text, file), place, text, file), place.name, text, file)
  // The parser's objects have no prototype; what they are compared with has one.
  return at === undefined ? undefined : structuredClone<unknown>(getNodeValue(valueOf(at)))
}

/** The text with an entry more, all else as it was, comments and their places included. @throws Problem `conflict` */
export function withEntry(text: string, place: SettingsPlace, entry: object, file: string): string {
  const whole = text.trim() === '' ? '{}\n' : text
  const root = readRoot(whole, file)
  const section = sectionOf(root, place, whole, file)
  const changed =
    section === undefined
      ? insert(whole, root, place.section, { [place.name]: entry }, 1)
      : insert(whole, section, place.name, entry, 2)
  return checked(changed, whole, place, entry, file) ?? cannotEdit(file)
}

/** The text without an entry. @throws Problem `conflict` */
export function withoutEntry(text: string, place: SettingsPlace, file: string): string {
  const section = sectionOf(readRoot(text, file), place, text, file)
  const property = propertyOf(section, place.name, text, file)
  if (section === undefined || property === undefined) return text
  // A comment that ends with its line needs that end where something else follows on the line.
  return (
    checked(cut(text, section, property, true), text, place, undefined, file) ??
    checked(cut(text, section, property, false), text, place, undefined, file) ??
    cannotEdit(file)
  )
}

function cannotEdit(file: string): never {
  throw new Problem('conflict', `${file} could not be changed without touching more; --print shows what to write there`)
}

function readRoot(text: string, file: string): Node {
  const errors: ParseError[] = []
  const body = text.replace(/^\uFEFF/, ' ')
  const root = parseTree(body.trim() === '' ? '{}' : body, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) refuse(text, error.offset, file, `is no JSON (${printParseErrorCode(error.error)})`)
  if (root?.type !== 'object') refuse(text, root?.offset ?? 0, file, 'is no JSON object')
  return root
}

function refuse(text: string, offset: number, file: string, what: string): never {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  throw new Problem(
    'conflict',
    `${file} ${what} at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}; nothing was written`,
  )
}

const valueOf = (property: Node): Node => property.children?.[1] ?? property

/** The property of that name; one said twice is refused, since readers disagree on which of them holds. */
function propertyOf(node: Node | undefined, name: string, text: string, file: string): Node | undefined {
  const [found, again] = (node?.children ?? []).filter(({ children }) => children?.[0]?.value === name)
  if (again !== undefined) refuse(text, again.offset, file, `says ${JSON.stringify(name)} twice, again`)
  return found
}

function sectionOf(root: Node, { section }: SettingsPlace, text: string, file: string): Node | undefined {
  const property = propertyOf(root, section, text, file)
  if (property === undefined) return undefined
  const value = valueOf(property)
  if (value.type !== 'object') refuse(text, value.offset, file, `has no object as ${JSON.stringify(section)}`)
  return value
}

/** After the last property and the comments behind it: those stay with what they are about. */
function insert(text: string, node: Node, name: string, value: object, depth: number): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const last = node.children?.at(-1)
  const unit = /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? '  '
  const lead = last === undefined ? undefined : /[\r\n]([ \t]*)$/.exec(text.slice(0, last.offset))?.[1]
  const indent = lead ?? unit.repeat(depth)
  const close = node.offset + node.length - 1
  const from = last === undefined ? node.offset + 1 : last.offset + last.length
  const between = text.slice(from, close)
  const hasComma = commaIn(between) >= 0
  const kept = between.trimEnd()
  const space = between.slice(kept.length)
  const tail = /[\r\n]/.test(space) ? space : `${eol}${unit.repeat(depth - 1)}`
  const written = JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`)
  const property = `${eol}${indent}${JSON.stringify(name)}: ${written}${hasComma ? ',' : ''}`
  const comma = last !== undefined && !hasComma ? ',' : ''
  return `${text.slice(0, from)}${comma}${kept}${property}${tail}${text.slice(close)}`
}

/** Where a comma stands outside comments, in what is between two properties; -1 where none does. */
const commaIn = (between: string): number => stripComments(between, ' ').indexOf(',')

function cut(text: string, section: Node, property: Node, withSpace: boolean): string {
  const siblings = section.children ?? []
  const at = siblings.indexOf(property)
  const before = siblings[at - 1]
  const end = property.offset + property.length
  const next = siblings[at + 1]?.offset ?? section.offset + section.length - 1
  const start = withSpace ? text.slice(0, property.offset).trimEnd().length : property.offset
  const after = commaIn(text.slice(end, next))
  if (after >= 0) return `${text.slice(0, start)}${text.slice(end, end + after)}${text.slice(end + after + 1)}`
  if (before === undefined) return `${text.slice(0, start)}${text.slice(end)}`
  const from = before.offset + before.length
  const comma = from + commaIn(text.slice(from, property.offset))
  return `${text.slice(0, comma)}${text.slice(comma + 1, Math.max(start, comma + 1))}${text.slice(end)}`
}

/** The changed text, if it says what the old one did but for the entry. */
function checked(changed: string, old: string, place: SettingsPlace, entry: object | undefined, file: string) {
  const errors: ParseError[] = []
  parseTree(changed.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true })
  if (errors.length > 0) return undefined
  const isSame =
    isDeepStrictEqual(others(changed, place, file), others(old, place, file)) &&
    isDeepStrictEqual(entryOf(changed, place, file), entry)
  return isSame ? changed : undefined
}

/** Everything but the entry, as it is written. */
function others(text: string, place: SettingsPlace, file: string): unknown {
  const root = readRoot(text, file)
  const outside = (root.children ?? []).filter(({ children }) => children?.[0]?.value !== place.section)
  const inside = (sectionOf(root, place, text, file)?.children ?? []).filter(
    ({ children }) => children?.[0]?.value !== place.name,
  )
  return [outside, inside].map(nodes => nodes.map(({ offset, length }) => text.slice(offset, offset + length)))
}
