/**
 * The type of a field of the call record, derived from its zod schema: what the stores make columns of and the
 * pipeline compiler starts its inference from. `open` is a JSON value of any shape.
 */
export type FieldType =
  | { readonly kind: 'bool' | 'open' }
  /** `long`: may take more than 32 bits. */
  | { readonly kind: 'int'; readonly long?: true }
  /** `values`: the only ones there are. */
  | { readonly kind: 'string'; readonly values?: readonly string[] }
  /** `bounded`: of the years from 1970 to 2199. */
  | { readonly kind: 'date'; readonly bounded?: true }
  /** `bounded`: its magnitude is far from the largest of doubles, so that no sum of them is infinite. */
  | {
      readonly kind: 'double'
      readonly bounded?: true
      /** Every document at this place has it. */
      readonly filled?: true
    }
  | { readonly kind: 'list'; readonly of: FieldType }
  /** `required`: the fields that every such document has. */
  | {
      readonly kind: 'struct'
      readonly fields: ReadonlyMap<string, FieldType>
      readonly required?: ReadonlySet<string>
    }
