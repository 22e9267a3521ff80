import type { Fragment } from './compile/sql.js'
import type { SqlExpression } from './compile/types.js'
import type { Relation, StepQuery } from './compile/relation.js'
import type { Document, Value } from './value.js'
import type { Comparison } from './match/compare-sql.js'
import type { FieldType } from '../calls/field-type.js'
import type { FieldPath } from './path.js'
import type { Pattern } from './pattern.js'

/**
 * The tree a pipeline is parsed into. Nodes are immutable, each with a literal `kind`. Operators are open (one file
 * each), so an operator's node carries its own meaning: how it is evaluated, how it is compiled where that is exact, and
 * how it prints as MongoDB's JSON.
 */

/** What an expression is evaluated against. */
export interface Environment {
  readonly root: Document
  readonly variables: ReadonlyMap<string, Value | undefined>
  /** The one instant of the request. */
  readonly now: Date
}

/** What compiling a stage's expressions needs: the rows beneath, bound variables, the request's instant. */
export interface CompileContext {
  readonly relation: Relation
  readonly variables: ReadonlyMap<string, SqlExpression>
  readonly now: Date
  /** Compiles an expression; `undefined` where it would not be exact. */
  expression(expression: Expression): SqlExpression | undefined
  /**
   * Adds a common table expression and gives back a relation over it with columns renamed apart from callers' names. Where
   * nothing is computed it adds none: the relation is over what is there.
   */
  step(query: StepQuery): Relation
  /** The same context over other rows. */
  over(relation: Relation): CompileContext
  /** The same context with variables bound, as $let and $map bind them. */
  bound(variables: ReadonlyMap<string, SqlExpression>): CompileContext
  /** The same with variables that are elements of lists, of which a row has many. */
  boundElements(variables: ReadonlyMap<string, SqlExpression>): CompileContext
  /** Expressions are computed once a row, not for each element of a list: only then can a row be told to be inexact. */
  readonly perRow: boolean
  /**
   * Makes the whole pipeline fail with a sentence where `fails` gives one for a row of this context's relation. Columns
   * of a step need no such call: their own `fails` counts for every row the step reads.
   */
  mayFail(fails: Fragment): void
  /**
   * The value, but where the condition holds for a row the stage is not exact in the engine after all: the statement
   * gives up where the value is read, and the pipeline runs again with this stage and those after it evaluated.
   */
  exactUnless(condition: Fragment, value: Fragment): Fragment
  /** Notes what keeps the stage out of the engine, an operator or a field: the first to be noted is told. */
  keptOut(form: string): void
}

export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  /** `$a.b`, or `$$name.a.b` with a variable; `$$ROOT` and `$$CURRENT` are fields with no variable. */
  | { readonly kind: 'field'; readonly path: FieldPath; readonly variable?: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'now' }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | ({ readonly kind: 'call' } & OperatorCall)

/** What is known of an expression's value where it is neither null nor missing; `undefined` where nothing is. */
export type TypeOf = (expression: Expression) => FieldType | undefined

/** An operator bound to its parsed arguments. */
export interface OperatorCall {
  readonly operator: string
  /** Every expression beneath, for finding out which fields are read. */
  readonly operands: readonly Expression[]
  /** The type of the value where that is known and it is neither null nor missing. Absent = it may be anything. */
  gives?(typeOf: TypeOf): FieldType | undefined
  /** The value, `undefined` for missing. Throws a Problem where MongoDB raises an error. */
  evaluate(environment: Environment): Value | undefined
  /** The SQL, or `undefined` where it would not be exact for these types. */
  sql(context: CompileContext): SqlExpression | undefined
  toJson(): unknown
}

/** A condition in the engine: true exactly for the matching rows; NULL counts as false. */
export interface SqlCondition {
  readonly sql: Fragment
  /** The sentence of the error that judging a row raises, NULL where it raises none. */
  readonly fails?: Fragment
}

/** A condition of $match. */
export interface Predicate {
  /** The top-level fields it reads; `undefined` = the whole document. */
  readonly fields: readonly string[] | undefined
  test(document: Document, environment: Environment): boolean
  /** The condition as SQL, or `undefined` where it would not be exact. */
  sql(context: CompileContext): SqlCondition | undefined
  toJson(): object
  /** When the predicate pins one field to one string at its top level (as a lookup does): which. */
  readonly pins?: readonly { readonly field: string; readonly value: string }[] | undefined
  /** Where texts must hold patterns, beside what else must be met: a store may have another way to those documents. */
  readonly finds?: { readonly patterns: readonly FoundPattern[]; readonly rest: Predicate } | undefined
  /** What fields at the top level must compare with. */
  readonly compares?: readonly Compared[] | undefined
  /** Judging a document may raise an error. */
  readonly raises?: true
  /** What it never lets through: documents where the value at a path is missing, or null. */
  readonly excludes?: readonly Exclusion[] | undefined
}

export interface Compared {
  readonly field: string
  readonly op: Comparison
  readonly operand: Value
}

/** A pattern that is found in a field at the top level. */
export interface FoundPattern {
  readonly field: string
  readonly pattern: Pattern
}

export interface FoundTexts {
  readonly patterns: readonly FoundPattern[]
  readonly compares: readonly Compared[]
}

export interface Exclusion {
  readonly path: FieldPath
  readonly missing: boolean
  readonly null: boolean
}

/** Top-level fields of the documents at a stage: some, or whatever there are. */
export type Fields = ReadonlySet<string> | 'all'

/** A stage bound to its parsed specification. */
export interface Stage {
  readonly name: string
  /** Every document that comes out, in order. */
  run(documents: readonly Document[], environment: Omit<Environment, 'root'>): readonly Document[]
  /** The stage as SQL over the relation before it, or `undefined` where it would not be exact. */
  compile(relation: Relation, context: CompileContext): Relation | undefined
  toJson(): object
  /**
   * The fields it touches of the documents that reach it, where some are wanted of those that leave it. Absent = it may
   * touch any.
   */
  reads?(wanted: Fields): Fields
  /**
   * What becomes of the order of the documents that reach it: those that leave have it, document for document, or what
   * leaves does not depend on it. Absent = it may do anything with it.
   */
  readonly order?: 'kept' | 'free'
  /** Of a $match: the fields it pins to one string, which a store may look up. */
  readonly pins?: NonNullable<Predicate['pins']>
  /** Of a $match: the patterns that texts must hold, what else must compare with what, and the stage that is left without the patterns. */
  readonly finds?: FoundTexts & { readonly rest: Stage }
}
