import type { RuleSet } from './rule.js'

/** What is no pipeline. */
export const refusals: RuleSet = {
  title: 'What is refused',
  rules: [
    {
      name: 'what is not on the lists',
      says: 'A stage, an operator or a variable that this language does not list is refused, at whatever depth: what writes, leaves the calls, runs code or looks at the server with that reason, everything else with the closest name.',
      example: {
        documents: [],
        pipeline: [{ $facet: { a: [{ $match: { $or: [{ $where: 'true' }] } }] } }],
        error:
          'pipeline[0].$facet.a[0].$match.$or[0].$where: The operator "$where" is not allowed: it runs code; use the operators of expressions, in a filter within $expr',
      },
    },
    {
      name: 'shapes of stages',
      says: 'A stage has one key. `$limit` is a whole number from 1, `$skip` from 0; `$and`, `$or` and `$nor` hold at least one condition; `$count` a name without `"$"` and dots that is not `_id`; no `$facet` stands inside a `$facet`.',
      example: {
        documents: [],
        pipeline: [{ $match: {}, $limit: 1 }],
        error: 'a stage has exactly one key, not 2',
      },
    },
    {
      name: 'fields that look like the restriction',
      says: 'What a key may hear is decided beneath the first stage. A field that a pipeline names `project_id` or `agent_name` is a field like any other, and changes nothing of that.',
      example: {
        documents: [{ agent_name: 'Ana' }],
        pipeline: [{ $set: { agent_name: 'Ben', project_id: 'other' } }, { $match: { agent_name: 'Ben' } }],
        result: [{ agent_name: 'Ben', project_id: 'other' }],
      },
    },
    {
      name: 'limits of a pipeline',
      says: 'At most 50 stages, those of `$facet` counted too, 65536 bytes and 32 levels; counted before anything runs.',
      example: {
        documents: [],
        pipeline: Array.from({ length: 51 }, () => ({ $skip: 1 })),
        error: 'has 51 stages; at most 50',
      },
    },
  ],
}
