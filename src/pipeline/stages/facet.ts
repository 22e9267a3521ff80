import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { gatheredBulk } from '../compile/bulk.js'
import { compileStage } from '../compile/compile-stage.js'
import { documentSql } from '../compile/compile-expression.js'
import type { CompileContext, Stage } from '../tree.js'
import { orderBy } from '../compile/order-by.js'
import type { Column, Relation } from '../compile/relation.js'
import { fromSql } from '../compile/rows.js'
import { sql } from '../compile/sql.js'
import { type ParseContext, type Shape, at, documentType } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { ParseStages, StageDefinition } from './stage-definition.js'
import { allOf, fieldsRead } from '../fields-read.js'

interface Facet {
  readonly name: string
  readonly stages: readonly Stage[]
  /** What is known of its documents. */
  readonly shape: Shape | undefined
}

function parseFacets(json: unknown, context: ParseContext, parseStages: ParseStages): readonly Facet[] {
  if (context.inFacet === true) throw new Refusal(context.where, 'a $facet can not stand inside a $facet')
  if (!isObject(json) || Object.keys(json).length === 0) {
    throw new Refusal(context.where, '$facet takes an object of pipelines, such as {"byAgent": [{"$group": {…}}]}')
  }
  return Object.entries(json).map(([name, stages]) => {
    const inner = at(context, name)
    if (name === '' || name.startsWith('$') || name.includes('.')) {
      throw new Refusal(inner.where, `the output field ${echo(name)} is empty, starts with "$" or holds a dot`)
    }
    return { name, ...parseStages(stages, { ...inner, inFacet: true }) }
  })
}

/** The documents of a sub-pipeline as one list; `undefined` where a stage or the list would not be exact. */
function facetColumn({ name, stages }: Facet, source: Relation, context: CompileContext): Column | undefined {
  let relation: Relation = source
  for (const stage of stages) {
    const next = compileStage(stage, relation, context.over(relation))
    if (next === undefined) return undefined
    relation = next
  }
  const document = documentSql(relation.columns)
  const bulk = gatheredBulk(relation.columns)
  if (document === undefined || bulk === undefined) return undefined
  return {
    name,
    sql: sql`(select coalesce(list(${document.sql}${orderBy(relation.order)}), [])${fromSql(relation.from)})`,
    type: { kind: 'list', of: document.type, absent: 'never' },
    bulk,
  }
}

const listOf = (shape: Shape) => ({ kind: 'list', of: documentType(shape) }) as const

/** Several pipelines over the same documents; one document with an array for each. */
export const facet: StageDefinition = {
  name: '$facet',
  doc: {
    form: '{ $facet: { <field>: [<stage>, …], … } }',
    meaning:
      'Runs several pipelines over the same documents and gives one document that holds an array of results for each. Pipelines inside hold no other $facet.',
    example: {
      documents: [
        { agent: 'Ana', score: 4 },
        { agent: 'Ben', score: 2 },
      ],
      pipeline: [
        {
          $facet: {
            total: [{ $count: 'calls' }],
            best: [{ $sort: { score: -1 } }, { $limit: 1 }],
          },
        },
      ],
      result: [{ total: [{ calls: 2 }], best: [{ agent: 'Ana', score: 4 }] }],
    },
  },
  parse: (json, context, parseStages) => {
    const facets = parseFacets(json, context, parseStages)
    return {
      stage: {
        name: '$facet',
        run: (documents, environment) => [
          Object.fromEntries(
            facets.map(({ name, stages }) => [
              name,
              stages.reduce((current, stage) => stage.run(current, environment), documents),
            ]),
          ),
        ],
        compile: (relation, compile) => {
          // A step of its own, computed once: every facet reads the same rows.
          const source = compile.step({ ...relation, materialized: 'always' })
          const columns = facets.map(one => facetColumn(one, source, compile))
          if (columns.includes(undefined)) return undefined
          return compile.step({
            columns: columns.filter(column => column !== undefined),
            from: { table: sql`(select 1)` },
            order: [],
          })
        },
        reads: () => allOf(...facets.map(({ stages }) => fieldsRead(stages))),
        toJson: () => ({
          $facet: Object.fromEntries(facets.map(({ name, stages }) => [name, stages.map(stage => stage.toJson())])),
        }),
      },
      shape: context.shape && new Map(facets.map(({ name, shape }) => [name, shape && listOf(shape)])),
    }
  },
}
