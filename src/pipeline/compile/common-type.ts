import { type SqlExpression, type SqlKind } from './types.js'

/** The kind that holds the values of all the expressions without changing any of them, or `undefined`. */
export function commonKind(expressions: readonly SqlExpression[]): SqlKind | undefined {
  const kinds = expressions.map(one => one.type).filter(type => type.kind !== 'nothing')
  const first = kinds[0]
  if (first === undefined) return { kind: 'nothing' }
  if (first.kind === 'list' || first.kind === 'struct' || first.kind === 'open') return undefined
  if (kinds.some(type => type.kind !== first.kind)) return undefined
  if (first.kind === 'int') {
    return { kind: 'int', bits: Math.max(...kinds.map(type => (type.kind === 'int' ? type.bits : 0))) }
  }
  if (first.kind === 'double')
    return { kind: 'double', finite: kinds.every(type => type.kind === 'double' && type.finite) }
  return { kind: first.kind }
}
