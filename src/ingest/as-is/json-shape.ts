/** What a value looks like that a scanner takes, and whether the scanner gives it back. */
export type JsonShape =
  | { readonly kind: 'text'; readonly keep: boolean; readonly is: TextShape }
  | { readonly kind: 'word'; readonly keep: boolean; readonly is: readonly WordShape[] }
  | { readonly kind: 'number'; readonly keep: boolean; readonly is: NumberShape }
  | { readonly kind: 'list'; readonly keep: boolean; readonly is: ListShape }
  | { readonly kind: 'object'; readonly keep: boolean; readonly is: ObjectShape }
  /** In UTC with milliseconds. */
  | { readonly kind: 'instant'; readonly keep: boolean; readonly is: undefined }

/** A text of so many bytes; `name` is one that would be trimmed, and holds no line. */
export interface TextShape {
  readonly least: number
  readonly most: number
  readonly name: boolean
  /** What else has to be true of it. */
  readonly holds: ((text: string) => boolean) | undefined
}

/** One of some words, and as it stands in JSON. */
export interface WordShape {
  readonly word: string
  readonly quoted: Uint8Array
}

export interface NumberShape {
  readonly least: number
  readonly most: number
  readonly whole: boolean
}

export interface ListShape {
  readonly of: JsonShape
  readonly least: number
  readonly most: number
}

export interface ObjectShape {
  readonly fields: readonly FieldShape[]
  /** The bits of those that have to be there. */
  readonly required: number
  /** It may have other fields of any shape. */
  readonly open: boolean
}

export interface FieldShape {
  readonly name: string
  /** The name as it stands in JSON, with its quotes and the colon. */
  readonly quoted: Uint8Array
  /** Of a number of 31 bits. */
  readonly bit: number
  readonly shape: JsonShape
}
