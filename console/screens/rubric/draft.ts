import { type Document, isMap, isSeq, parseDocument } from 'yaml'

/** Where a rubric has entries with a key, and which of their fields are changed here. */
export type Kind = 'dimensions' | 'signals' | 'caps'
export type FieldName = 'weight' | 'active' | 'most'

/** One thing that is to be different from the rubric as it is set. */
export type Change =
  | {
      readonly kind: Kind
      readonly key: string
      readonly field: FieldName
      readonly value: number | boolean
    }
  | { readonly kind: 'lists'; readonly key: string; readonly phrase: string; readonly isAdded: boolean }

/** The text is put otherwise than this page can change: by hand it can be. */
export class Unfit extends Error {}

const placeOf = (one: Change): string =>
  JSON.stringify([one.kind, one.key, one.kind === 'lists' ? one.phrase : one.field])

/** The changes with one more, in the place of an earlier one. @param isBack that it is as it was */
export function withChange(changes: readonly Change[], change: Change, isBack: boolean): readonly Change[] {
  const others = changes.filter(one => placeOf(one) !== placeOf(change))
  return isBack ? others : [...others, change]
}

/**
 * The text of a rubric with changes, all else as it stands, comments too: of one that extends another only what is different,
 * so that it goes on following that one.
 * @throws Unfit
 */
export function textWith(text: string, changes: readonly Change[]): string {
  if (changes.length === 0) return text
  const document = parseDocument(text, { uniqueKeys: false })
  if (!isMap(document.contents) || document.errors.length > 0) throw new Unfit()
  for (const change of changes) {
    if (change.kind === 'lists') changePhrase(document, change)
    else changeField(document, change)
  }
  return document.toString({ lineWidth: 0 })
}

function changeField(document: Document, { kind, key, field, value }: Exclude<Change, { kind: 'lists' }>): void {
  const entries = inPlace(document, [kind], [])
  const entry = entries.items.find(one => isMap(one) && one.get('key') === key)
  if (isMap(entry)) entry.set(field, value)
  else if (document.has('extends')) entries.add(document.createNode({ key, [field]: value }, { flow: true }))
  else throw new Unfit()
}

function changePhrase(document: Document, { key, phrase, isAdded }: Extract<Change, { kind: 'lists' }>): void {
  const path = ['lists', key]
  // A list of its own, not one that it changes.
  if (isSeq(document.getIn(path, true))) {
    if (isAdded) inPlace(document, path).add(phrase)
    else take(document, path, phrase)
    return
  }
  if (!document.has('extends')) throw new Unfit()
  const [here, there] = isAdded ? ['add', 'remove'] : ['remove', 'add']
  const isTaken = take(document, [...path, there], phrase) || (!isAdded && take(document, [...path, 'replace'], phrase))
  if (!isTaken) inPlace(document, [...path, here], []).add(phrase)
}

/** Takes a phrase out of a list, and the list with its last one: whether it was there. */
function take(document: Document, path: readonly string[], phrase: string): boolean {
  const list: unknown = document.getIn(path, true)
  if (!isSeq(list)) return false
  const at = (list.toJSON() as readonly unknown[]).indexOf(phrase)
  if (at < 0) return false
  list.delete(at)
  if (list.items.length === 0 && path.length > 2) document.deleteIn(path)
  return true
}

/** The list at a place. @param otherwise made there when there is nothing @throws Unfit when there is something else */
function inPlace(document: Document, path: readonly string[], otherwise?: readonly unknown[]) {
  for (let length = 1; length < path.length; length += 1) {
    const around: unknown = document.getIn(path.slice(0, length), true)
    if (around !== undefined && !isMap(around)) throw new Unfit()
  }
  if (otherwise !== undefined && !document.hasIn(path)) document.setIn(path, document.createNode(otherwise))
  const found: unknown = document.getIn(path, true)
  if (!isSeq(found)) throw new Unfit()
  return found
}
