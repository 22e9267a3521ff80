import { readPath } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { compareValues, valueKey } from '../order.js'
import type { Environment } from '../tree.js'
import { type Document, type Value, isArray } from '../value.js'
import type { Partition } from '../windows/window-function.js'
import { type WindowFrame, frames } from '../windows/window-frame.js'
import { type SortKey, compareBy, sortDocuments } from './sort.js'

/** The documents of a partition in their order. */
export interface SortedPartition {
  readonly documents: readonly Document[]
}

/** The documents by partition, partitions in the order of their keys, each in the order of the sort. */
export function partitions(
  documents: readonly Document[],
  keyOf: (document: Document) => Value | undefined,
  sortBy: readonly SortKey[],
): readonly SortedPartition[] {
  const groups = new Map<string, { readonly key: Value; readonly documents: Document[] }>()
  for (const document of documents) {
    // Missing and null are one partition.
    const key = keyOf(document) ?? null
    if (isArray(key)) throw new ExpressionError('$setWindowFields', 'can not partition by an array')
    const text = valueKey(key)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, { key, documents: [document] })
    else group.documents.push(document)
  }
  return [...groups.values()]
    .toSorted((a, b) => compareValues(a.key, b.key))
    .map(group => ({ documents: sortBy.length === 0 ? group.documents : sortDocuments(group.documents, sortBy) }))
}

/** A partition as window functions see it. */
export function partitionView(
  { documents }: SortedPartition,
  sortBy: readonly SortKey[],
  frame: WindowFrame | undefined,
  environment: Omit<Environment, 'root'>,
): Partition {
  const only = sortBy[0]
  const sortValue = (place: number) => (only === undefined ? undefined : readPath(documents[place], only.path))
  return {
    size: documents.length,
    environment: place => ({ ...environment, root: documents[place]! }),
    sortValue,
    isPeer: (a, b) => compareBy(documents[a]!, documents[b]!, sortBy) === 0,
    frame: frames(frame, documents.length, sortValue),
  }
}
