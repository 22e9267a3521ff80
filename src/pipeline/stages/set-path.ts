import type { FieldPath } from '../path.js'
import { type Document, type Value, isArray, isDocument } from '../value.js'

/**
 * The document with the value at the path, as $addFields sets it: objects are entered, a scalar on the way becomes an
 * object (an empty one when there is nothing to set), every element of an array on the way is set; `undefined` removes. A
 * replaced field keeps its place.
 */
export function setPath(document: Document, path: FieldPath, value: Value | undefined): Document {
  const [name, ...rest] = path
  if (name === undefined) return document
  const old = Object.hasOwn(document, name) ? document[name] : undefined
  const next = rest.length === 0 ? value : setInside(old, rest, value)
  if (next === undefined) {
    if (!Object.hasOwn(document, name)) return document
    const { [name]: _, ...others } = document
    return others
  }
  return { ...document, [name]: next }
}

function setInside(old: Value | undefined, path: FieldPath, value: Value | undefined): Value {
  if (isArray(old)) return old.map(element => setInside(element, path, value))
  return setPath(isDocument(old) ? old : {}, path, value)
}
